package io.orestes.live.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.model.MatchEvent;
import io.invalidb.model.MatchType;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.model.WriteOperation;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;

final class EventLogTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final EventLogBudget memory = new EventLogBudget(1 << 20, Duration.ofSeconds(30));
    private final EventLog log = new EventLog(3, memory);

    @Test
    void covers_nothingLost_isTrueBackToTheFirstRetainedEvent() {
        log.append(event(1, MatchType.ADD, "a", 1, START), null);
        log.append(event(2, MatchType.ADD, "b", 1, START), null);

        assertThat(log.covers(0)).isTrue();
        assertThat(log.covers(2)).isTrue();
        assertThat(log.covers(3)).as("an event that never was").isFalse();
    }

    @Test
    void append_moreThanTheLimit_dropsTheOldest() {
        for (int sequence = 1; sequence <= 5; sequence++) {
            log.append(event(sequence, MatchType.CHANGE, "a", sequence, START), null);
        }

        assertThat(log.covers(1)).isFalse();
        assertThat(log.covers(2)).isTrue();
        assertThat(log.eventsAfter(3).orElseThrow())
                .extracting(event -> event.id().sequence())
                .containsExactly(4L, 5L);
        assertThat(log.eventsAfter(1)).isEmpty();
    }

    @Test
    void append_olderThanTheWindow_isDropped() {
        log.append(event(1, MatchType.ADD, "a", 1, START), null);
        log.append(event(2, MatchType.ADD, "b", 1, START.plusSeconds(31)), null);

        assertThat(log.covers(0)).isFalse();
        assertThat(log.covers(1)).isTrue();
    }

    /** The class may receive no more writes. */
    @Test
    void evict_nothingIsAppended_dropsOldEvents() {
        log.append(event(1, MatchType.ADD, "a", 1, START), null);

        memory.evict(START.plusSeconds(31));

        assertThat(log.covers(0)).isFalse();
        assertThat(log.covers(1)).isTrue();
        assertThat(log.fold(List.of(), 0)).isEmpty();
        assertThat(memory.bytes()).isZero();
    }

    @Test
    void append_moreBytesThanTheBudget_dropsTheOldestOfAllQueries() {
        EventLogBudget small = new EventLogBudget(30_000, Duration.ofSeconds(30));
        List<EventLog> logs =
                Stream.generate(() -> new EventLog(100, small)).limit(10).toList();
        for (int sequence = 1; sequence <= 10; sequence++) {
            for (EventLog each : logs) {
                each.append(event(sequence, MatchType.CHANGE, "a", sequence, START), null);
            }
        }

        assertThat(small.bytes()).isBetween(25_000L, 30_000L);
        assertThat(logs).noneMatch(each -> each.covers(5)).allMatch(each -> each.covers(9));
    }

    @Test
    void append_largeRow_counts() {
        EventLogBudget small = new EventLogBudget(10_000, Duration.ofSeconds(30));
        EventLog rows = new EventLog(100, small);
        rows.append(event(1, MatchType.CHANGE, "a", 1, START), null);

        BsonDocument row = new BsonDocument("_id", new BsonString("x".repeat(10_000)));
        rows.append(event(2, MatchType.CHANGE, "b", 1, START), row);

        assertThat(rows.covers(1)).isFalse();
        assertThat(small.bytes()).isZero();
    }

    /** A thousand queries on one class do not retain a thousand texts of each write. */
    @Test
    void append_oneWriteOfManyQueries_sharesItsObject() {
        BsonDocument large = new BsonDocument("text", new BsonString("x".repeat(10_000)));
        for (int query = 0; query < 20; query++) {
            new EventLog(3, memory).append(eventWith(memory.share(large)), null);
        }

        assertThat(memory.bytes()).isBetween(20_000L, 60_000L);
        assertThat(memory.share(large)).isSameAs(memory.share(large));
    }

    /** Messages to clients share one text; the log retains no text of the query's own. */
    @Test
    void append_textsMadeForSubscribers_areNotRetained() {
        LiveEvent event = event(1, MatchType.ADD, "a", 1, START);
        log.append(event, null);
        Buffer sent = event.frame("sse", each -> Buffer.buffer("sent"));

        Buffer resent = log.eventsAfter(0).orElseThrow().get(0).frame("sse", each -> Buffer.buffer("made again"));

        assertThat(sent).hasToString("sent");
        assertThat(resent).hasToString("made again");
    }

    @Test
    void fold_eventsTheResultHasSeen_changeNothing() {
        log.append(event(1, MatchType.ADD, "a", 1, START), null);
        log.append(event(2, MatchType.CHANGE, "a", 2, START), null);

        assertThat(versions(log.fold(List.of(object("a", 3)), 0).orElseThrow())).containsExactly("a3");
    }

    @Test
    void fold_laterEvents_addReplaceAndRemove() {
        log.append(event(1, MatchType.ADD, "b", 1, START), null);
        log.append(event(2, MatchType.CHANGE, "a", 2, START), null);
        log.append(event(3, MatchType.REMOVE, "c", 2, START), null);

        List<StoredObject> folded =
                log.fold(List.of(object("a", 1), object("c", 1)), 0).orElseThrow();

        assertThat(versions(folded)).containsExactlyInAnyOrder("a2", "b1");
    }

    @Test
    void fold_addedAndRemovedSince_leavesNothing() {
        log.append(event(1, MatchType.ADD, "a", 1, START), null);
        log.append(event(2, MatchType.REMOVE, "a", 2, START), null);

        assertThat(log.fold(List.of(), 0).orElseThrow()).isEmpty();
    }

    private static List<String> versions(List<StoredObject> objects) {
        return objects.stream()
                .map(object -> object.ref().key() + object.version())
                .toList();
    }

    private LiveEvent event(long sequence, MatchType type, String key, long version, Instant date) {
        StoredObject object = object(key, version);
        WriteEvent write = new WriteEvent.Upsert(
                "Todo", object.ref().id(), new VersionStamp(1, version), WriteOperation.UPDATE, object.document());
        return new LiveEvent(
                new EventId("00000000000000ff", sequence, 0),
                date,
                new LiveChange(
                        new MatchEvent("q", type, write), null, memory.share(object.document()), Buffer::buffer));
    }

    private static LiveEvent eventWith(RenderedAfterImage object) {
        WriteEvent write = new WriteEvent.Upsert(
                "Todo", "/db/Todo/a", new VersionStamp(1, 1), WriteOperation.UPDATE, object.afterImage());
        return new LiveEvent(
                new EventId("00000000000000ff", 1, 0),
                START,
                new LiveChange(new MatchEvent("q", MatchType.ADD, write), null, object, Buffer::buffer));
    }

    private static StoredObject object(String key, long version) {
        ObjectRef ref = new ObjectRef("Todo", key);
        return new StoredObject(
                ref, new BsonDocument("version", new BsonInt64(version)).append("createdAt", new BsonDateTime(1)));
    }
}
