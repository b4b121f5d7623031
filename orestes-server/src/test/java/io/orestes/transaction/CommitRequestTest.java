package io.orestes.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orestes.coordination.GroupLocks;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Precondition.ExactVersion;
import io.orestes.model.Precondition.ObjectAbsent;
import io.orestes.schema.TestSchemas;
import io.orestes.store.Batch.ReadSetEntry;
import io.orestes.write.WriteRequest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The body of a commit (protocol §12). */
final class CommitRequestTest {

    private static final ObjectRef ONE = new ObjectRef("A", "1");
    private static final ObjectRef TWO = new ObjectRef("A", "2");

    @Test
    void parse_allMembers_areReadInTheOrderOfWork() {
        CommitRequest request = parse(
                """
                {'readSet': [{'oid': '/db/A/1', 'version': 3}, {'oid': '/db/A/%32', 'version': null}],
                 'deleteSet': [{'/db/A/5': 2, '/db/A/6': 1}],
                 'writeSet': [{'id': '/db/A/3', 'version': 4, 'n': 1}, {'id': '/db/A/4', 'n': 2}],
                 'partialUpdates': [{'ref': '/db/A/7', 'operations': {'$inc': {'n': 1}}},
                                    {'ref': '/db/A/8', 'operations': {}},
                                    {'ref': '/db/A/7', 'operations': {'$inc': {'n': 2}}}]}
                """);

        assertThat(request.reads())
                .containsExactly(new ReadSetEntry(ONE, new ExactVersion(3)), new ReadSetEntry(TWO, new ObjectAbsent()));
        assertThat(request.writes())
                .containsExactly(
                        new WriteRequest.ReplaceRequest(
                                ref("3"),
                                TestSchemas.object("{'id': '/db/A/3', 'version': 4, 'n': 1}"),
                                new ExactVersion(4)),
                        new WriteRequest.InsertRequest(ref("4"), TestSchemas.object("{'id': '/db/A/4', 'n': 2}")),
                        new WriteRequest.UpdateRequest(
                                ref("7"),
                                List.of(
                                        TestSchemas.object("{'$inc': {'n': 1}}"),
                                        TestSchemas.object("{'$inc': {'n': 2}}")),
                                Precondition.none()),
                        new WriteRequest.UpdateRequest(
                                ref("8"), List.of(TestSchemas.object("{}")), Precondition.none()),
                        new WriteRequest.DeleteRequest(ref("5"), new ExactVersion(2)),
                        new WriteRequest.DeleteRequest(ref("6"), new ExactVersion(1)));
    }

    @Test
    void parse_bareArray_isAReadSet() {
        assertThat(parse("[{'oid': '/db/A/1', 'version': 0}]").reads())
                .containsExactly(new ReadSetEntry(ONE, new ObjectAbsent()));
        assertThat(parse("[]").isEmpty()).isTrue();
        assertThat(parse("{}").isEmpty()).isTrue();
    }

    @Test
    void locks_ofWhatIsReadAndWritten_areToWrite() {
        CommitRequest request =
                parse("{'readSet': [{'oid': '/db/A/2', 'version': 1}, {'oid': '/db/A/1', 'version': 1}],"
                        + "'writeSet': [{'id': '/db/A/1', 'version': 1}]}");

        assertThat(request.locks().keySet()).containsExactly("/db/A/1", "/db/A/2");
        assertThat(request.locks().values()).containsExactly(GroupLocks.Mode.WRITE, GroupLocks.Mode.READ);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "7",
                "{'reads': []}",
                "{'readSet': {}}",
                "[7]",
                "[{'oid': 7}]",
                "[{'oid': '/db/A'}]",
                "[{'oid': '/db/_schema/classes', 'version': 1}]",
                "[{'oid': '/db/A/1', 'version': 1.5}]",
                "[{'oid': '/db/A/1', 'version': -1}]",
                "{'writeSet': [{'n': 1}]}",
                "{'deleteSet': [{'/db/A/1': 0}]}",
                "{'deleteSet': [{'/db/A/1': null}]}",
                "{'partialUpdates': [{'ref': '/db/A/1'}]}",
                "{'writeSet': [{'id': '/db/A/1'}, {'id': '/db/A/1'}]}",
                "{'writeSet': [{'id': '/db/A/1'}], 'deleteSet': [{'/db/A/1': 1}]}",
                "{'writeSet': [{'id': '/db/A/1'}], 'partialUpdates': [{'ref': '/db/A/1', 'operations': {}}]}"
            })
    void parse_anythingElse_isABadRequest(String body) {
        ApiException failure = catchThrowableOfType(ApiException.class, () -> parse(body));

        assertThat(failure.code()).isEqualTo(ErrorCode.BAD_REQUEST);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[{'oid': '/db/A/1'}, {'oid': '/db/A/2'}, {'oid': '/db/A/3'}]",
                "{'deleteSet': [{'/db/A/1': 1, '/db/A/2': 1, '/db/A/3': 1}]}",
                "{'partialUpdates': [{}, {}], 'writeSet': [{}]}"
            })
    void parse_moreThanAllowed_isTooLarge(String body) {
        ApiException failure =
                catchThrowableOfType(ApiException.class, () -> CommitRequest.parse(TestSchemas.json(body), 2));

        assertThat(failure.code()).isEqualTo(ErrorCode.PAYLOAD_TOO_LARGE);
    }

    private static ObjectRef ref(String key) {
        return new ObjectRef("A", key);
    }

    private static CommitRequest parse(String body) {
        return CommitRequest.parse(TestSchemas.json(body), 100);
    }
}
