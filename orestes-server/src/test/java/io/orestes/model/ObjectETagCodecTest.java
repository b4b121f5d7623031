package io.orestes.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.model.Precondition.ExactState;
import io.orestes.model.Precondition.ExactVersion;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ObjectETagCodecTest {

    private static final StoredObject OBJECT = new StoredObject(
            new ObjectRef("Todo", "a"),
            new BsonDocument("version", new BsonInt64(3))
                    .append("createdAt", new BsonDateTime(1_600_000_000_000L))
                    .append("updatedAt", new BsonDateTime(1_700_000_000_000L)));

    @Test
    void encode_state_isVersionTimeAndRenderingInQuotes() {
        assertThat(ObjectETagCodec.encode(OBJECT, "x1")).isEqualTo("\"3--loyw3v28_x1\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"3--loyw3v28_x1", "3--loyw3v28_other", "3--loyw3v28_x1--gzip", "3--loyw3v28_x1--br"})
    void decodePrecondition_tagOfTheState_isThatStateHoweverRendered(String tag) {
        assertThat(ObjectETagCodec.decodePrecondition(tag)).contains(new ExactState(3, 1_700_000_000_000L));
    }

    @ParameterizedTest
    @ValueSource(strings = {"3", "3--gzip", "003"})
    void decodePrecondition_versionAlone_isThatVersionInAnyLife(String tag) {
        assertThat(ObjectETagCodec.decodePrecondition(tag)).contains(new ExactVersion(3));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "-3",
                "0",
                "00--gzip",
                "0--loyw3v28_x1",
                "3--",
                "3--_",
                "3--loyw3v28_",
                "3--_x1",
                "3--LOYW3V28_x1",
                "3--loyw3v28_x1--",
                "3--loyw3v28_x1--gz ip",
                "3--zzzzzzzzzzzzz_x1",
                "\"3",
                "3\"",
                "3, 4",
                "9999999999999999999",
            })
    void decodePrecondition_anythingElse_isNoCondition(String tag) {
        assertThat(ObjectETagCodec.decodePrecondition(tag)).isEmpty();
    }
}
