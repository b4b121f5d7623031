package io.orestes.update;

import io.orestes.model.Acl;
import io.orestes.model.StoredObject;
import io.orestes.store.UpdateFunction;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;

/**
 * A parsed partial update: a sequence of field operations in the order of the request. Immutable.
 */
public final class PartialUpdate implements UpdateFunction {

    /**
     * Maximum bytes that the operations may copy repeatedly of one object: other writers wait
     * meanwhile.
     */
    private static final long MAX_COPIED_BYTES = 32 << 20;

    private static final long BYTES_OF_A_MEMBER = 16;

    private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

    private final List<FieldOperation> operations;

    /**
     * Number of operations at each path, without paths at which a single operation copies nothing
     * but its value.
     */
    private final Map<UpdatePath, Long> copied;

    private final boolean touchesAcl;

    PartialUpdate(List<FieldOperation> operations) {
        this.operations = List.copyOf(operations);
        this.copied = operations.stream()
                .flatMap(fieldOperation -> fieldOperation.paths().stream())
                .collect(Collectors.groupingBy(updatePath -> updatePath, Collectors.counting()));
        this.touchesAcl = operations.stream().anyMatch(FieldOperation::touchesAcl);
        copied.entrySet()
                .removeIf(each ->
                        each.getValue() == 1 && each.getKey().containers().isEmpty());
    }

    @Override
    public boolean touchesAcl() {
        return touchesAcl;
    }

    @Override
    public BsonDocument apply(BsonDocument stored, long at) {
        requireCopyLimit(stored);
        BsonDocument document = stored;
        for (FieldOperation fieldOperation : operations) {
            document = fieldOperation.apply(document, at);
        }
        if (touchesAcl) {
            Acl.fromBson(document.get(StoredObject.ACL, BsonNull.VALUE)).requireIds();
        }
        return document;
    }

    /**
     * Limits the work: each operation copies the members on its path, and reads all of the value
     * that it changes.
     */
    private void requireCopyLimit(BsonDocument stored) {
        if (operations.size() == 1 || copied.isEmpty()) {
            return;
        }
        long bytes = copied.entrySet().stream()
                .mapToLong(each -> repeated(stored, each.getKey(), each.getValue()))
                .sum();
        if (bytes > MAX_COPIED_BYTES) {
            throw UpdateErrors.tooExpensive();
        }
    }

    private static long repeated(BsonDocument stored, UpdatePath updatePath, long times) {
        long way = updatePath.countTraversedMembers(stored) * BYTES_OF_A_MEMBER * times;
        return times == 1 ? way : way + (times - 1) * size(updatePath.readRaw(stored));
    }

    private static int size(BsonValue value) {
        BasicOutputBuffer bytes = new BasicOutputBuffer();
        try (BsonBinaryWriter writer = new BsonBinaryWriter(bytes)) {
            CODEC.encode(
                    writer,
                    new BsonDocument("", value),
                    EncoderContext.builder().build());
        }
        return bytes.getPosition();
    }
}
