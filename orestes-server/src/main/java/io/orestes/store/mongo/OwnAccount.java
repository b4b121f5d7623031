package io.orestes.store.mongo;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.bson.types.ObjectId;

/** The account of a process that is alone with the database, in memory: what its predecessor left it settles before it reads anything. */
final class OwnAccount implements CommitAccount {

    private static final ObjectId NONE = new ObjectId(new byte[12]);
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private final Vertx vertx;
    private final Map<String, ObjectId> last = new HashMap<>();
    private final Map<String, Set<ObjectId>> underWay = new HashMap<>();
    private final Map<String, Long> heldUntilNanos = new HashMap<>();

    OwnAccount(Vertx vertx) {
        this.vertx = vertx;
    }

    @Override
    public Future<?> begin(ObjectId commit, Collection<String> buckets) {
        buckets.forEach(bucket -> {
            last.put(bucket, new ObjectId());
            underWay.computeIfAbsent(bucket, none -> new HashSet<>()).add(commit);
        });
        return Future.succeededFuture();
    }

    @Override
    public Future<?> end(ObjectId commit, Collection<String> buckets) {
        buckets.forEach(bucket -> underWay.computeIfPresent(bucket, (same, commits) -> {
            commits.remove(commit);
            return commits.isEmpty() ? null : commits;
        }));
        return Future.succeededFuture();
    }

    @Override
    public Future<View> look(String bucket) {
        return Future.succeededFuture(
                new View(last.getOrDefault(bucket, NONE), underWay.getOrDefault(bucket, Set.of())));
    }

    @Override
    public Future<?> hold(String bucket, Duration time) {
        long until = System.nanoTime() + time.toNanos();
        heldUntilNanos.merge(bucket, until, (one, other) -> one - other > 0 ? one : other);
        return Future.succeededFuture();
    }

    @Override
    public Future<?> standBack(Collection<String> buckets) {
        long now = System.nanoTime();
        heldUntilNanos.values().removeIf(until -> until - now <= 0);
        long nanos = buckets.stream()
                .filter(heldUntilNanos::containsKey)
                .mapToLong(bucket -> heldUntilNanos.getOrDefault(bucket, now) - now)
                .max()
                .orElse(0);
        return pause(vertx, Duration.ofNanos(nanos));
    }

    /** Some time, but not more than others may ask for. */
    static Future<?> pause(Vertx vertx, Duration asked) {
        long millis = Math.min(LONGEST.toMillis(), asked.toMillis());
        if (millis <= 0) {
            return Future.succeededFuture();
        }
        Promise<Void> over = Promise.promise();
        long unused = vertx.setTimer(millis, later -> over.complete());
        return over.future();
    }
}
