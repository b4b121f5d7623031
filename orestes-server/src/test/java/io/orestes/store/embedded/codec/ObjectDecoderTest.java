package io.orestes.store.embedded.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ObjectDecoderTest {

    /**
     * Permissions: some with the type of the others' members, some that begin alike, some deeper in
     * the object.
     */
    private static final List<String> PERMISSIONS = List.of(
            "{}",
            "{acl: null, _readAllowed: []}",
            "{acl: {read: {'/db/Role/7': 'allow'}, write: {}}, _readAllowed: ['/db/Role/7']}",
            "{acl: {read: {'/db/Role/7': 'allow'}, write: {'/db/Role/7': 'deny'}}, _readAllowed: ['/db/Role/7']}",
            "{acl: {read: {'/db/Role/7': 'deny'}, write: {}}, _readDenied: ['/db/Role/7']}",
            "{_readAllowed: ['/db/Role/7'], _readDenied: ['/db/Role/7', '/db/User/1']}",
            "{data: {acl: {read: {}}, _readAllowed: ['/db/Role/7']}, list: ['/db/Role/7']}");

    private final ObjectDecoder decoder = new ObjectDecoder();

    static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void decode_objectsInARow_areWhatTheyAreAlone(long seed) {
        Random random = new Random(seed);

        for (int i = 0; i < 40; i++) {
            BsonDocument object = BsonDocument.parse(PERMISSIONS.get(random.nextInt(PERMISSIONS.size())))
                    .append("after", BsonDocument.parse("{n: " + random.nextInt(3) + "}"));
            byte[] encoded = StoredDocumentCodec.encode(object);

            assertThat(decoder.decode(encoded))
                    .isEqualTo(StoredDocumentCodec.decode(encoded))
                    .isEqualTo(object);
        }
    }

    @Test
    void decode_samePermissionsAsBefore_areShared() {
        byte[] encoded = StoredDocumentCodec.encode(BsonDocument.parse(PERMISSIONS.get(2)));

        BsonDocument first = decoder.decode(encoded);
        BsonDocument second = decoder.decode(encoded);

        assertThat(second.get("acl")).isSameAs(first.get("acl"));
        assertThat(second.get("_readAllowed")).isSameAs(first.get("_readAllowed"));
    }
}
