package io.orestes.notify;

import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.model.MatchEvent;
import io.invalidb.model.MatchType;
import io.invalidb.model.Operation;
import io.invalidb.model.Stamp;
import io.invalidb.model.WriteEvent;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.junit.jupiter.api.Test;

final class EventLogTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final EventLog log = new EventLog(3, Duration.ofSeconds(30));

    @Test
    void covers_nothingLost_isTrueBackToTheFirstEventKept() {
        log.append(event(1, MatchType.ADD, "a", 1, START));
        log.append(event(2, MatchType.ADD, "b", 1, START));

        assertThat(log.covers(0)).isTrue();
        assertThat(log.covers(2)).isTrue();
        assertThat(log.covers(3)).as("an event that never was").isFalse();
    }

    @Test
    void append_moreThanTheLimit_forgetsTheOldest() {
        for (int sequence = 1; sequence <= 5; sequence++) {
            log.append(event(sequence, MatchType.CHANGE, "a", sequence, START));
        }

        assertThat(log.covers(1)).isFalse();
        assertThat(log.covers(2)).isTrue();
        assertThat(log.after(3)).extracting(event -> event.id().sequence()).containsExactly(4L, 5L);
    }

    @Test
    void append_olderThanTheWindow_isForgotten() {
        log.append(event(1, MatchType.ADD, "a", 1, START));
        log.append(event(2, MatchType.ADD, "b", 1, START.plusSeconds(31)));

        assertThat(log.covers(0)).isFalse();
        assertThat(log.covers(1)).isTrue();
    }

    @Test
    void fold_eventsTheResultHasSeen_changeNothing() {
        log.append(event(1, MatchType.ADD, "a", 1, START));
        log.append(event(2, MatchType.CHANGE, "a", 2, START));

        assertThat(versions(log.fold(List.of(object("a", 3)), 0))).containsExactly("a3");
    }

    @Test
    void fold_laterEvents_addReplaceAndRemove() {
        log.append(event(1, MatchType.ADD, "b", 1, START));
        log.append(event(2, MatchType.CHANGE, "a", 2, START));
        log.append(event(3, MatchType.REMOVE, "c", 2, START));

        List<StoredObject> folded = log.fold(List.of(object("a", 1), object("c", 1)), 0);

        assertThat(versions(folded)).containsExactlyInAnyOrder("a2", "b1");
    }

    @Test
    void fold_addedAndRemovedSince_leavesNothing() {
        log.append(event(1, MatchType.ADD, "a", 1, START));
        log.append(event(2, MatchType.REMOVE, "a", 2, START));

        assertThat(log.fold(List.of(), 0)).isEmpty();
    }

    private static List<String> versions(List<StoredObject> objects) {
        return objects.stream()
                .map(object -> object.ref().key() + object.version())
                .toList();
    }

    private static LiveEvent event(long sequence, MatchType type, String key, long version, Instant date) {
        StoredObject object = object(key, version);
        WriteEvent write = new WriteEvent.Upsert(
                "Todo", object.ref().id(), new Stamp(1, version), Operation.UPDATE, object.document());
        return new LiveEvent(
                new EventId("00000000000000ff", sequence, 0),
                new MatchEvent("q", type, write),
                OptionalInt.empty(),
                date,
                Buffer::buffer);
    }

    private static StoredObject object(String key, long version) {
        ObjectRef ref = new ObjectRef("Todo", key);
        return new StoredObject(
                ref, new BsonDocument("version", new BsonInt64(version)).append("createdAt", new BsonDateTime(1)));
    }
}
