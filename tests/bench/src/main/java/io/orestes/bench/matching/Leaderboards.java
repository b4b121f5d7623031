package io.orestes.bench.matching;

import io.invalidb.grid.GridSize;
import io.invalidb.matching.FailedQuery;
import io.invalidb.matching.QuerySpec;
import io.invalidb.model.MatchEvent;
import io.invalidb.model.StreamPosition;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.model.WriteEvent.Upsert;
import io.invalidb.model.WriteOperation;
import io.invalidb.node.GridOptions;
import io.invalidb.node.MatchListener;
import io.invalidb.node.MatchingService;
import io.invalidb.node.SubscriberLease;
import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.filter.Filter;
import io.invalidb.query.sort.SortOrder;
import io.invalidb.sorting.SortedWindow;
import io.invalidb.sorting.WindowEvent;
import io.invalidb.sorting.WindowSpec;
import io.orestes.bench.harness.Latencies;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;

/**
 * Objects with a board and a score, and of each board a window of the best twenty. Written by one
 * thread, which is the database, too; the threads of the cells notify the windows.
 */
final class Leaderboards implements MatchListener, AutoCloseable {

    private static final String BUCKET = "Score";
    private static final int OBJECTS = 60;
    private static final int SLACK = 10;
    private static final int MOST_POINTS = 1_000_000;
    private static final WindowSpec BEST =
            new WindowSpec(SortOrder.parse(new BsonDocument("score", new BsonInt32(-1))), 0, 20);

    private final Random random = new Random(1);
    private final List<Board> boards;
    private final Latencies latencies = new Latencies();
    private final AtomicInteger renewals = new AtomicInteger();
    private final MatchingService matchingService;
    private final SubscriberLease subscriberLease;

    /** Subscribes all windows. */
    Leaderboards(int count) {
        this.boards = IntStream.range(0, count).mapToObj(Board::new).toList();
        this.matchingService = MatchingService.start(GridOptions.defaults().withSize(new GridSize(1, 2)), this);
        this.subscriberLease = matchingService.openLease();
        boards.forEach(Board::renew);
    }

    /** Returns the times from the scheduled time of a write to the event of a window. */
    Latencies latencies() {
        return latencies;
    }

    /** Queries executed again because they ran out of slack. */
    int renewals() {
        return renewals.get();
    }

    /** Changes the score of some object; executes a query again if its window requires it. */
    void write(long due) {
        Board board = boards.get(random.nextInt(boards.size()));
        var unused = matchingService.publish(board.write(random.nextInt(OBJECTS), due));
        board.renewIfAsked();
    }

    @Override
    public void onMatch(MatchEvent event, PeriodicStepBudget periodicStepBudget) {
        String id = event.queryId();
        boards.get(Integer.parseInt(id, 0, id.indexOf('.'), 10)).onMatch(event, periodicStepBudget);
    }

    @Override
    public void onFailure(FailedQuery failed) {
        throw new IllegalStateException(failed.query().id(), failed.cause());
    }

    @Override
    public void close() {
        matchingService.close();
    }

    /**
     * One board with its window. The writer owns the objects; the lock guards the state of the
     * window.
     */
    private final class Board {

        private final int number;
        private final int[] scores = new int[OBJECTS];
        private final int[] versions = new int[OBJECTS];
        private SortedWindow window = new SortedWindow(BEST, SLACK, List.of());
        private String queryId = "";
        private int generation;

        private Board(int number) {
            this.number = number;
            Arrays.setAll(scores, i -> random.nextInt(MOST_POINTS));
        }

        private Upsert write(int index, long due) {
            scores[index] = random.nextInt(MOST_POINTS);
            versions[index]++;
            return object(index, due);
        }

        private Upsert object(int index, long due) {
            String id = "/db/" + BUCKET + "/" + number + "-" + index;
            BsonDocument after = new BsonDocument("_id", new BsonString(id))
                    .append("board", new BsonInt32(number))
                    .append("score", new BsonInt32(scores[index]))
                    .append("due", new BsonInt64(due));
            return new Upsert(BUCKET, id, new VersionStamp(1, 1 + versions[index]), WriteOperation.UPDATE, after);
        }

        private synchronized void renewIfAsked() {
            if (window.needsRenewal()) {
                renewals.incrementAndGet();
                renew();
            }
        }

        /**
         * The writer is the database, so nothing is written between position, execution and
         * subscription.
         */
        private synchronized void renew() {
            StreamPosition since = matchingService.position(BUCKET);
            List<Upsert> result = IntStream.range(0, OBJECTS)
                    .mapToObj(index -> object(index, 0))
                    .sorted(Comparator.comparing(Upsert::afterImage, BEST.order()))
                    .limit(SortedWindow.capacity(BEST, SLACK))
                    .toList();
            String old = queryId;
            queryId = number + "." + generation++;
            QuerySpec query =
                    new QuerySpec(queryId, BUCKET, Filter.parse(new BsonDocument("board", new BsonInt32(number))));
            window = new SortedWindow(BEST, SLACK, result);
            var unused = matchingService.subscribe(subscriberLease, query, since, stamps(result));
            matchingService.unsubscribe(subscriberLease, old);
        }

        private static Map<String, VersionStamp> stamps(List<Upsert> result) {
            return result.stream().collect(Collectors.toMap(WriteEvent::id, WriteEvent::stamp));
        }

        private void recordLatency(Upsert written) {
            recordChange(
                    System.nanoTime() - written.afterImage().getInt64("due").getValue());
        }

        private synchronized void onMatch(MatchEvent event, PeriodicStepBudget periodicStepBudget) {
            if (event.queryId().equals(queryId)) {
                List<WindowEvent> events = window.apply(event, periodicStepBudget);
                if (!events.isEmpty()) {
                    event.write().upsert().ifPresent(this::recordLatency);
                }
                if (window.ignoredCount() >= 64) {
                    matchingService.releaseObjects(queryId, window.drainIgnored());
                }
            }
        }
    }

    private void recordChange(long nanos) {
        synchronized (latencies) {
            latencies.addNanos(nanos);
        }
    }
}
