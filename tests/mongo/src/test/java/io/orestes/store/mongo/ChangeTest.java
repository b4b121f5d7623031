package io.orestes.store.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.store.DocumentLayout;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.Test;

/** What the state that is found afterwards tells of a change of which the server did not say whether it was made. */
final class ChangeTest {

    private static final ObjectRef REF = new ObjectRef("Item", "a");
    private static final StoredObject BEFORE = state(1, 4, 40, 0);
    private static final StoredObject AFTER = state(1, 5, 50, 1);

    private final Change exchange = new Change.Exchange(BEFORE, AFTER.document());
    private final Change removal = new Change.Removal(BEFORE);

    @Test
    void creation_isThereOnlyIfTheStateIsThatOne() {
        Change creation = new Change.Creation(REF, state(1, 1, 1, 0).document());

        assertThat(creation.traceIn(Optional.of(state(1, 1, 1, 0)), 0)).isEqualTo(Change.Trace.MADE);
        assertThat(creation.traceIn(Optional.of(state(2, 1, 2, 0)), 0)).isEqualTo(Change.Trace.NOT_MADE);
        assertThat(creation.traceIn(Optional.empty(), 0)).isEqualTo(Change.Trace.NOT_MADE);
    }

    @Test
    void exchange_isFound_wasMade() {
        assertThat(exchange.traceIn(Optional.of(AFTER), 0)).isEqualTo(Change.Trace.MADE);
    }

    @Test
    void exchange_whatIsThereIsNoLater_wasNotMade() {
        assertThat(exchange.traceIn(Optional.of(BEFORE), 0)).isEqualTo(Change.Trace.NOT_MADE);
        assertThat(exchange.traceIn(Optional.of(state(1, 5, 50, 2)), 0)).isEqualTo(Change.Trace.NOT_MADE);
        assertThat(exchange.traceIn(Optional.of(state(1, 9, 49, 2)), 0)).isEqualTo(Change.Trace.NOT_MADE);
        assertThat(exchange.traceIn(Optional.of(state(48, 1, 48, 2)), 45)).isEqualTo(Change.Trace.NOT_MADE);
        assertThat(exchange.traceIn(Optional.empty(), 49)).isEqualTo(Change.Trace.NOT_MADE);
    }

    @Test
    void exchange_whatIsThereIsLater_isUnknown() {
        assertThat(exchange.traceIn(Optional.of(state(1, 6, 51, 3)), 0)).isEqualTo(Change.Trace.UNKNOWN);
        assertThat(exchange.traceIn(Optional.of(state(70, 1, 70, 3)), 0)).isEqualTo(Change.Trace.UNKNOWN);
        assertThat(exchange.traceIn(Optional.empty(), 50)).isEqualTo(Change.Trace.UNKNOWN);
    }

    @Test
    void removal_thatLifeIsOver_wasMade() {
        assertThat(removal.traceIn(Optional.empty(), 40)).isEqualTo(Change.Trace.MADE);
        assertThat(removal.traceIn(Optional.of(state(70, 1, 70, 3)), 40)).isEqualTo(Change.Trace.MADE);
    }

    @Test
    void removal_theObjectLives_wasNotMade() {
        assertThat(removal.traceIn(Optional.of(AFTER), 40)).isEqualTo(Change.Trace.NOT_MADE);
    }

    private static StoredObject state(long created, long version, long updated, int number) {
        BsonDocument document = DocumentLayout.of(REF, new BsonDocument("n", new BsonInt32(number)));
        DocumentLayout.complete(document, version, created, updated);
        return new StoredObject(REF, document);
    }
}
