package io.invalidb.sorting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.invalidb.model.MatchEvent;
import io.invalidb.model.MatchType;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.model.WriteEvent.Upsert;
import io.invalidb.model.WriteOperation;
import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.sort.SortOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;

/** Objects are sorted by name; an object's id is its first name. */
final class SortedWindowTest {

    private static final SortOrder BY_NAME = SortOrder.parse(new BsonDocument("name", new BsonInt32(1)));

    private final PeriodicStepBudget periodicStepBudget = new PeriodicStepBudget();
    private int version = 1;

    @Test
    void apply_workedExampleOfTheProtocol_isReportedLineByLine() {
        SortedWindow window = window(0, 3, 5, "b", "c", "d");

        assertThat(write(window, MatchType.ADD, "a", "a")).containsExactly("remove/none d", "add/insert a @0");
        assertThat(write(window, MatchType.CHANGE, "b", "e")).containsExactly("remove/update b", "add/none d @2");
        assertThat(delete(window, "d")).containsExactly("remove/delete d", "add/none b @2");
        assertThat(write(window, MatchType.CHANGE, "c", "0")).containsExactly("change_index/update c @0");
        assertThat(write(window, MatchType.CHANGE, "a", "a")).containsExactly("change/update a @1");
        assertThat(ids(window)).containsExactly("c", "a", "b");
    }

    /**
     * The sort key of each is the least of 20,000 elements, some 400,000 steps, and a window has 75
     * million for such.
     */
    @Test
    void sortedWindow_manyObjectsHardToSort_isRefused() {
        BsonArray names = new BsonArray();
        IntStream.range(0, 20_000).forEach(i -> names.add(new BsonInt32(i)));
        BsonDocument large = new BsonDocument("name", names);

        assertThat(windowOf(50, large).content()).hasSize(50);
        assertThatThrownBy(() -> windowOf(400, large)).isInstanceOf(BudgetExceededException.class);
    }

    private static SortedWindow windowOf(int objects, BsonDocument each) {
        return new SortedWindow(
                new WindowSpec(BY_NAME, 0, objects),
                5,
                IntStream.range(0, objects)
                        .mapToObj(i -> new Upsert(
                                "B", "o" + i, new VersionStamp(1, 1), WriteOperation.NONE, withId("o" + i, each)))
                        .toList());
    }

    private static BsonDocument withId(String id, BsonDocument document) {
        return new BsonDocument("_id", new BsonString(id)).append("name", document.get("name"));
    }

    @Test
    void apply_insertionBeforeTheOffset_pushesOneInAndOneOut() {
        SortedWindow window = window(1, 2, 5, "b", "c", "d", "e");

        assertThat(write(window, MatchType.ADD, "a", "a")).containsExactly("remove/none d", "add/none b @0");
    }

    @Test
    void apply_moveFromBeforeTheWindowToBehindIt_pullsAllAcross() {
        SortedWindow window = window(1, 2, 5, "a", "b", "c", "d");

        assertThat(write(window, MatchType.CHANGE, "a", "z")).containsExactly("remove/none b", "add/none d @1");
    }

    @Test
    void apply_moveIntoTheWindowFromBefore_pushesItsFirstOut() {
        SortedWindow window = window(1, 2, 5, "a", "b", "c", "d");

        assertThat(write(window, MatchType.CHANGE, "a", "bb")).containsExactly("remove/none b", "add/update a @0");
    }

    @Test
    void apply_changesOutsideTheWindow_areNotTold() {
        SortedWindow window = window(1, 1, 5, "a", "b", "c", "d");

        assertThat(write(window, MatchType.CHANGE, "a", "aa")).isEmpty();
        assertThat(write(window, MatchType.CHANGE, "d", "e")).isEmpty();
        assertThat(delete(window, "d")).isEmpty();
    }

    @Test
    void apply_objectThatDoesNotMatchAnyMore_isRemovedByAnUpdate() {
        SortedWindow window = window(0, 2, 5, "a", "b");

        assertThat(write(window, MatchType.REMOVE, "a", "a")).containsExactly("remove/update a");
    }

    @Test
    void apply_stateThatIsKnownOrOlder_isIgnored() {
        SortedWindow window = window(0, 2, 5, "a", "b");
        Upsert newer = upsert("a", "z");
        List<WindowEvent> events = window.apply(new MatchEvent("q", MatchType.CHANGE, newer), periodicStepBudget);

        assertThat(events).hasSize(1);
        assertThat(window.apply(new MatchEvent("q", MatchType.CHANGE, newer), periodicStepBudget))
                .isEmpty();
        version = 0;
        assertThat(write(window, MatchType.CHANGE, "a", "0")).isEmpty();
        assertThat(delete(window, "unknown")).isEmpty();
    }

    @Test
    void apply_behindTheHorizon_isIgnoredAndNamedOnce() {
        SortedWindow window = window(0, 2, 1, "a", "b", "c");

        assertThat(write(window, MatchType.ADD, "x", "x")).isEmpty();

        assertThat(window.ignoredCount()).isEqualTo(1);
        assertThat(window.drainIgnored()).containsOnlyKeys("x");
        assertThat(window.drainIgnored()).isEmpty();
    }

    @Test
    void apply_slackUsedUp_asksForRenewalAndStaysRight() {
        SortedWindow window = window(0, 2, 1, "a", "b", "c");
        assertThat(window.needsRenewal()).isFalse();

        assertThat(delete(window, "a")).containsExactly("remove/delete a", "add/none c @1");
        assertThat(window.needsRenewal()).isTrue();
        assertThat(delete(window, "b")).containsExactly("remove/delete b");
        assertThat(write(window, MatchType.ADD, "x", "x"))
                .as("others may come before it")
                .isEmpty();
        assertThat(write(window, MatchType.ADD, "b2", "b2")).containsExactly("add/insert b2 @0");

        assertThat(ids(window)).containsExactly("b2", "c");
    }

    @Test
    void apply_wholeResultKnown_neverAsksForRenewal() {
        SortedWindow window = window(0, 2, 2, "a", "b", "c");

        assertThat(List.of("a", "b", "c"))
                .allSatisfy(id -> assertThat(delete(window, id)).isNotEmpty());

        assertThat(window.needsRenewal()).isFalse();
        assertThat(write(window, MatchType.ADD, "z", "z")).containsExactly("add/insert z @0");
    }

    @Test
    void apply_nothingAskedFor_tellsNothing() {
        SortedWindow window = window(1, 0, 1, "a", "b");

        assertThat(write(window, MatchType.ADD, "0", "0")).isEmpty();
        assertThat(delete(window, "a")).isEmpty();
        assertThat(window.needsRenewal()).isFalse();
    }

    @Test
    void eventsSince_olderWindow_leadFromOneToTheOther() {
        SortedWindow older = window(0, 4, 1, "a", "b", "c", "d");
        SortedWindow newer = new SortedWindow(
                new WindowSpec(BY_NAME, 0, 4),
                1,
                List.of(upsert("a", "bb"), object("b"), upsert("d", "d"), object("x"), object("y")));

        assertThat(newer.eventsSince(older))
                .extracting(SortedWindowTest::summary)
                .containsExactly("remove/none c", "change_index/none a @1", "change/none d @2", "add/none x @3");
    }

    private static SortedWindow window(int offset, int limit, int slack, String... ids) {
        return new SortedWindow(
                new WindowSpec(BY_NAME, offset, limit),
                slack,
                Arrays.stream(ids).map(SortedWindowTest::object).toList());
    }

    private static Upsert object(String id) {
        return state(id, id, 1);
    }

    private static Upsert state(String id, String name, long version) {
        BsonDocument document = new BsonDocument("_id", new BsonString(id)).append("name", new BsonString(name));
        return new Upsert("Todo", id, new VersionStamp(1, version), WriteOperation.UPDATE, document);
    }

    private Upsert upsert(String id, String name) {
        return state(id, name, ++version);
    }

    private List<String> write(SortedWindow window, MatchType type, String id, String name) {
        Upsert state = upsert(id, name);
        WriteOperation writeOperation = type == MatchType.ADD ? WriteOperation.INSERT : WriteOperation.UPDATE;
        return eventsOf(
                window, type, new Upsert(state.bucket(), id, state.stamp(), writeOperation, state.afterImage()));
    }

    private List<String> delete(SortedWindow window, String id) {
        return eventsOf(window, MatchType.REMOVE, new WriteEvent.Delete("Todo", id, new VersionStamp(1, ++version)));
    }

    private List<String> eventsOf(SortedWindow window, MatchType type, WriteEvent write) {
        return window.apply(new MatchEvent("q", type, write), periodicStepBudget).stream()
                .map(SortedWindowTest::summary)
                .toList();
    }

    private static String summary(WindowEvent event) {
        String what = event.type() + "/" + event.write().operation();
        String index = event.index().isPresent() ? " @" + event.index().getAsInt() : "";
        return what.toLowerCase(Locale.ROOT) + " " + event.write().id() + index;
    }

    private static List<String> ids(SortedWindow window) {
        return window.content().stream().map(Upsert::id).toList();
    }
}
