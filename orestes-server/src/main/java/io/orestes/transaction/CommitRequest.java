package io.orestes.transaction;

import io.orestes.coordination.GroupLocks;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.store.Batch;
import io.orestes.write.WriteRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * A parsed commit request: the versions that a transaction has read and its writes.
 *
 * @param reads objects with the version that was read, or none if there was no object
 * @param writes in the order of the request: whole objects, partial updates, deletions; one of each
 *     object
 * @param digest equal for equal bodies, and for no others (SHA-256)
 */
record CommitRequest(List<Batch.ReadSetEntry> reads, List<WriteRequest> writes, String digest) {

    private static final Set<String> MEMBERS = Set.of("readSet", "writeSet", "deleteSet", "partialUpdates");

    CommitRequest {
        reads = List.copyOf(reads);
        writes = List.copyOf(writes);
    }

    /**
     * Parses the body of a commit (protocol §12), where an array is a read set. Fails with {@code
     * BAD_REQUEST}, and with {@code PAYLOAD_TOO_LARGE} if there are more than {@code maxOperations}
     * reads and writes in it.
     */
    static CommitRequest parse(BsonValue body, int maxOperations) {
        BsonDocument members = body.isArray() ? new BsonDocument("readSet", body) : object(body, "A commit");
        if (!MEMBERS.containsAll(members.keySet())) {
            throw malformed("A commit has no members but "
                    + String.join(", ", MEMBERS.stream().sorted().toList()));
        }
        requireOperationLimit(members, maxOperations);
        WriteCollector writes = new WriteCollector();
        array(members, "writeSet").forEach(object -> writes.addObject(object(object, "An element of writeSet")));
        array(members, "partialUpdates").forEach(update -> writes.addUpdate(object(update, "A partial update")));
        array(members, "deleteSet").forEach(deletions -> object(deletions, "An element of deleteSet")
                .forEach(writes::addDeletion));
        List<Batch.ReadSetEntry> reads = new ArrayList<>();
        array(members, "readSet").forEach(read -> reads.add(read(object(read, "An element of readSet"))));
        return new CommitRequest(reads, writes.inOrder(), digest(members));
    }

    private static String digest(BsonDocument members) {
        try {
            byte[] text = members.toJson().getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    boolean isEmpty() {
        return reads.isEmpty() && writes.isEmpty();
    }

    /** Returns the locks of the objects that are read or written, with their modes. */
    SortedMap<String, GroupLocks.Mode> locks() {
        SortedMap<String, GroupLocks.Mode> modes = new TreeMap<>();
        reads.forEach(read -> modes.put(read.ref().id(), GroupLocks.Mode.READ));
        writes.forEach(write -> modes.put(write.ref().id(), GroupLocks.Mode.WRITE));
        return modes;
    }

    private static void requireOperationLimit(BsonDocument members, int most) {
        int deletions = array(members, "deleteSet").stream()
                .mapToInt(each -> object(each, "An element of deleteSet").size())
                .sum();
        int others = Stream.of("readSet", "writeSet", "partialUpdates")
                .mapToInt(name -> array(members, name).size())
                .sum();
        if (deletions + others > most) {
            throw new ApiException(
                    ErrorCode.PAYLOAD_TOO_LARGE, "A transaction has at most " + most + " reads and writes");
        }
    }

    private static Batch.ReadSetEntry read(BsonDocument read) {
        ObjectRef ref = ref(read.get("oid", BsonNull.VALUE));
        return new Batch.ReadSetEntry(ref, version(read).orElseGet(Precondition.ObjectAbsent::new));
    }

    /** Reads a version; empty if there is none, or 0. */
    private static Optional<Precondition> version(BsonDocument holder) {
        BsonValue version = holder.get("version", BsonNull.VALUE);
        return version.isNull() ? Optional.empty() : version(version);
    }

    private static Optional<Precondition> version(BsonValue version) {
        if (!version.isInt64() || version.asInt64().getValue() < 0) {
            throw malformed("A version is a whole number");
        }
        long expected = version.asInt64().getValue();
        return expected == 0 ? Optional.empty() : Optional.of(new Precondition.ExactVersion(expected));
    }

    private static ObjectRef ref(BsonValue id) {
        return Optional.of(id)
                .filter(BsonValue::isString)
                .flatMap(text -> ObjectRef.parse(text.asString().getValue()))
                .filter(ref -> !ref.bucket().startsWith("_"))
                .orElseThrow(() -> malformed("Objects are named by their ids; " + ObjectRef.KEY_RULE));
    }

    private static BsonArray array(BsonDocument members, String name) {
        BsonValue value = members.get(name, BsonNull.VALUE);
        if (!value.isArray() && !value.isNull()) {
            throw malformed(name + " has to be an array");
        }
        return value.isNull() ? new BsonArray() : value.asArray();
    }

    private static BsonDocument object(BsonValue value, String what) {
        if (!value.isDocument()) {
            throw malformed(what + " has to be an object");
        }
        return value.asDocument();
    }

    private static ApiException malformed(String message) {
        return new ApiException(ErrorCode.BAD_REQUEST, message);
    }

    /**
     * The writes of a request, one of each object; partial updates of the same object become one.
     */
    private static final class WriteCollector {

        private final Map<ObjectRef, WriteRequest> byRef = new LinkedHashMap<>();
        private final Map<ObjectRef, WriteRequest.UpdateRequest> updates = new HashMap<>();

        private void addObject(BsonDocument object) {
            ObjectRef ref = ref(object.get("id", BsonNull.VALUE));
            add(version(object)
                    .<WriteRequest>map(expected -> new WriteRequest.ReplaceRequest(ref, object, expected))
                    .orElseGet(() -> new WriteRequest.InsertRequest(ref, object)));
        }

        private void addUpdate(BsonDocument update) {
            ObjectRef ref = ref(update.get("ref", BsonNull.VALUE));
            BsonDocument operations = object(update.get("operations", BsonNull.VALUE), "operations");
            WriteRequest.UpdateRequest earlier = updates.get(ref);
            if (earlier == null) {
                WriteRequest.UpdateRequest first =
                        new WriteRequest.UpdateRequest(ref, List.of(operations), Precondition.none());
                add(first);
                updates.put(ref, first);
            } else {
                WriteRequest.UpdateRequest both = earlier.then(operations);
                byRef.put(ref, both);
                updates.put(ref, both);
            }
        }

        private void addDeletion(String id, BsonValue version) {
            ObjectRef ref = ref(new BsonString(id));
            Precondition expected = version(version).orElseThrow(() -> malformed("Versions start at 1"));
            add(new WriteRequest.DeleteRequest(ref, expected));
        }

        private void add(WriteRequest write) {
            if (byRef.putIfAbsent(write.ref(), write) != null) {
                throw malformed(
                        "A transaction writes an object once: " + write.ref().id());
            }
        }

        private List<WriteRequest> inOrder() {
            return List.copyOf(byRef.values());
        }
    }
}
