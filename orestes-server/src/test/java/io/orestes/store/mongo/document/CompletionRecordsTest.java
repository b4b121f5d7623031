package io.orestes.store.mongo.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.model.ObjectRef;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

final class CompletionRecordsTest {

    private final WriteId.WriteIdGenerator one = new WriteId.WriteIdGenerator();
    private final WriteId.WriteIdGenerator other = new WriteId.WriteIdGenerator();

    @Test
    void with_writesOfTwoProcesses_containsTheLastOfEach() {
        WriteId first = one.next();
        WriteId second = one.next();
        WriteId foreign = other.next();

        CompletionRecords records =
                CompletionRecords.NONE.with(first).with(foreign).with(second);

        assertThat(records.contain(first)).isFalse();
        assertThat(records.contain(second)).isTrue();
        assertThat(records.contain(foreign)).isTrue();
        assertThat(CompletionRecords.NONE.byWriter()).isEmpty();
        assertThat(CompletionRecords.NONE.areCompleteFor(first)).isFalse();
        assertThat(records.areCompleteFor(new WriteId.WriteIdGenerator().next()))
                .isTrue();
    }

    @Test
    void with_moreProcessesThanItHolds_leavesOutTheOneThatWroteLeastLately() {
        WriteId idle = other.next();
        CompletionRecords records = CompletionRecords.NONE.with(one.next()).with(idle);
        for (int process = 2; process < CompletionRecords.MAX_WRITERS; process++) {
            records = records.with(new WriteId.WriteIdGenerator().next());
        }
        WriteId busy = one.next();
        records = records.with(busy);
        assertThat(records.contain(idle)).isTrue();

        records = records.with(new WriteId.WriteIdGenerator().next());

        assertThat(records.contain(idle)).isFalse();
        assertThat(records.areCompleteFor(idle)).isFalse();
        assertThat(records.contain(busy)).isTrue();
        assertThat(records.byWriter()).hasSize(CompletionRecords.MAX_WRITERS);
    }

    @Test
    void in_documentOfAnotherProgram_isNone() {
        for (String foreign : List.of("'mine'", "{'': 1}", "{'$x.y': NumberLong(1)}", "{'0123456789abcdef': 1}")) {
            assertThat(CompletionRecords.in(BsonDocument.parse("{_writes: " + foreign + "}"), MongoCollections.WRITES))
                    .isEqualTo(CompletionRecords.NONE);
        }
        assertThat(CompletionRecords.in(new BsonDocument(), MongoCollections.WRITES))
                .isEqualTo(CompletionRecords.NONE);
    }

    @Test
    void found_document_keepsRecordsBesideTheObject() {
        WriteId write = one.next();
        BsonDocument document = BsonDocument.parse("{_id: '/db/Item/a', n: 1}")
                .append(
                        MongoCollections.WRITES,
                        CompletionRecords.NONE.with(write).byWriter());

        CurrentObject currentObject = CurrentObject.in(new ObjectRef("Item", "a"), document);

        assertThat(currentObject.writes().contain(write)).isTrue();
        assertThat(currentObject.object().document()).isEqualTo(BsonDocument.parse("{_id: '/db/Item/a', n: 1}"));
    }
}
