package io.orestes.changefeed;

import io.invalidb.model.VersionStamp;
import io.orestes.async.Loop;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.model.WriteOutcome;
import io.orestes.store.ChangeEvent;
import io.orestes.store.ChangeFeed;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The reconciler of change events with the writes that servers announced; it announces every write
 * they did not.
 *
 * <p>An announcement of a server explains a change of the same version and time. The change may be
 * read before its announcement, so a change that looks like a server's is delayed a moment. For
 * each other change the present state of the object is read from the store. An object whose present
 * content is announced already is skipped. A change that brought its own version is announced as it
 * is, unless that version is in use. After any other change the object gets the next version, since
 * copies of different content must not have equal versions. So neither the order nor the number of
 * times matters in which changes of an object are processed.
 */
final class ChangeReconciler {

    /** Usual delay from a server's commit to its announcement. */
    private static final Duration GRACE_PERIOD = Duration.ofMillis(250);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(10);

    /** Maximum difference in ms between the clocks of servers and store. */
    private static final long MAX_CLOCK_SKEW_MILLIS = 10_000;

    private static final int MAX_CONCURRENT_CHECKS = 32;

    private final Vertx vertx;
    private final ChangeFeed feed;
    private final Function<WriteOutcome, Future<Void>> publisher;
    private final RecentWrites recentWrites;
    private final ChangeFeedMetrics metrics;

    /** @param publisher publishes a write; succeeds when all servers have acknowledged */
    ChangeReconciler(
            Vertx vertx,
            ChangeFeed feed,
            Function<WriteOutcome, Future<Void>> publisher,
            RecentWrites recentWrites,
            ChangeFeedMetrics metrics) {
        this.vertx = vertx;
        this.feed = feed;
        this.publisher = publisher;
        this.recentWrites = recentWrites;
        this.metrics = metrics;
    }

    /**
     * Succeeds when all servers have received these changes and the in-doubt writes of failed
     * members.
     */
    Future<?> reconcile(List<ChangeEvent.ObjectWriteEvent> changes) {
        List<ChangeEvent.ObjectWriteEvent> open =
                changes.stream().filter(change -> !matchAnnouncement(change)).toList();
        return awaitAnnouncements(open, System.nanoTime() + GRACE_PERIOD.toNanos())
                .compose(over -> each(lastOfEach(open), this::check))
                .compose(checked -> each(recentWrites.unconfirmed(), this::republish));
    }

    private boolean matchAnnouncement(ChangeEvent.ObjectWriteEvent change) {
        boolean isOwn = recentWrites.tryObserve(change);
        if (isOwn) {
            metrics.countOwn();
        }
        return isOwn;
    }

    /** Completes when all of them are announced that may be, or after the grace period. */
    private Future<Void> awaitAnnouncements(List<ChangeEvent.ObjectWriteEvent> open, long endNanos) {
        if (open.stream().noneMatch(recentWrites::isAwaited) || System.nanoTime() - endNanos > 0) {
            return Future.succeededFuture();
        }
        Promise<Void> later = Promise.promise();
        long unused = vertx.setTimer(POLL_INTERVAL.toMillis(), timer -> later.complete());
        return later.future().compose(now -> awaitAnnouncements(open, endNanos));
    }

    /**
     * Drops changes that were announced meanwhile, and keeps only the last change of each object.
     */
    private List<ChangeEvent.ObjectWriteEvent> lastOfEach(List<ChangeEvent.ObjectWriteEvent> open) {
        Map<ObjectRef, ChangeEvent.ObjectWriteEvent> last = new LinkedHashMap<>();
        open.stream().filter(change -> !matchAnnouncement(change)).forEach(change -> last.put(change.ref(), change));
        return List.copyOf(last.values());
    }

    private <T> Future<Void> each(List<T> items, Function<T, Future<?>> action) {
        if (items.isEmpty()) {
            return Future.succeededFuture();
        }
        int[] next = {0};
        return Loop.whileTrue(() -> {
            List<T> some = items.subList(next[0], Math.min(next[0] + MAX_CONCURRENT_CHECKS, items.size()));
            next[0] += some.size();
            return Future.join(some.stream().<Future<?>>map(action).toList()).map(done -> next[0] < items.size());
        });
    }

    private Future<?> check(ChangeEvent.ObjectWriteEvent change) {
        VersionStamp latest = recentWrites.latest(change.ref()).orElse(null);
        return feed.current(change.ref())
                .compose(found -> found.<Future<?>>map(sighting -> resolve(change, sighting, latest))
                        .orElseGet(() -> publishDeletion(change.ref(), latest)));
    }

    private Future<?> resolve(
            ChangeEvent.ObjectWriteEvent change, ChangeFeed.ObservedState found, @Nullable VersionStamp latest) {
        StoredObject state = found.state();
        if (found.isNormalized()) {
            return publishRenewed(state);
        }
        if (change.kind() == ChangeEvent.ChangeKind.PART
                ? recentWrites.containsOwn(state)
                : recentWrites.contains(state)) {
            metrics.countOwn();
            return Future.succeededFuture();
        }
        if (change.kind() != ChangeEvent.ChangeKind.PART && recentWrites.containsUnconfirmed(state)) {
            return publishUnchanged(state).onSuccess(all -> recentWrites.confirm(state.ref()));
        }
        if (isOfLaterChange(change, state)) {
            return Future.succeededFuture();
        }
        return found.hasCurrentReaders() && bringsVersion(change, state, latest)
                ? publishUnchanged(state)
                : renew(change.ref(), latest);
    }

    /**
     * Returns whether the object got its version and time after the change. That later change is
     * still to be read, or was announced by its writer.
     */
    private static boolean isOfLaterChange(ChangeEvent.ObjectWriteEvent change, StoredObject state) {
        boolean hadNone = change.kind() != ChangeEvent.ChangeKind.PART
                && (change.version() == null || change.updatedAt() == null);
        return hadNone || (change.version() != null && !isOf(change, state));
    }

    private static boolean isOf(ChangeEvent.ObjectWriteEvent change, StoredObject state) {
        Long version = change.version();
        Long updatedAt = change.updatedAt();
        return version != null && version == state.version() && (updatedAt == null || updatedAt == state.updatedAt());
    }

    /**
     * Returns whether the version came with the change. A program may also read a whole state and
     * write it back under its old version. Without recent announcements of the object, the state's
     * time must be recent. The tolerance covers a server that stalled between assigning that time
     * and committing.
     */
    private boolean bringsVersion(
            ChangeEvent.ObjectWriteEvent change, StoredObject state, @Nullable VersionStamp latest) {
        return change.version() != null
                && (latest == null
                        ? change.kind() == ChangeEvent.ChangeKind.PART || isRecent(change, state)
                        : state.stamp().isAfter(latest));
    }

    private boolean isRecent(ChangeEvent.ObjectWriteEvent change, StoredObject state) {
        long age = Math.abs(change.committedMillis() - state.updatedAt());
        return age <= Math.max(MAX_CLOCK_SKEW_MILLIS, recentWrites.coveredTime().toMillis());
    }

    private Future<?> renew(ObjectRef ref, @Nullable VersionStamp latest) {
        return feed.incrementVersion(ref, latest).compose(next -> next.<Future<?>>map(this::publishRenewed)
                .orElseGet(() -> publishDeletion(ref, latest)));
    }

    private Future<?> publishRenewed(StoredObject state) {
        metrics.countRenewed();
        return publish(state);
    }

    private Future<Void> publishUnchanged(WriteOutcome writeOutcome) {
        metrics.countExternal();
        return publish(writeOutcome).onSuccess(all -> recentWrites.recordUnchanged(writeOutcome));
    }

    private Future<?> publishDeletion(ObjectRef ref, @Nullable VersionStamp latest) {
        if (recentWrites.containsDeletion(ref)) {
            metrics.countOwn();
            return Future.succeededFuture();
        }
        return feed.recordDeletion(ref, latest).compose(this::publishUnchanged);
    }

    /** Announces an object again whose last announcement may not have reached every server. */
    private Future<?> republish(ObjectRef ref) {
        VersionStamp latest = recentWrites.latest(ref).orElse(null);
        return feed.current(ref)
                .compose(found -> found.<Future<?>>map(sighting -> publishUnchanged(sighting.state()))
                        .orElseGet(() -> feed.recordDeletion(ref, latest).compose(this::publishUnchanged)))
                .onSuccess(all -> recentWrites.confirm(ref));
    }

    private Future<Void> publish(WriteOutcome writeOutcome) {
        return publisher.apply(writeOutcome).onFailure(failure -> recentWrites.addUnconfirmed(writeOutcome.ref()));
    }
}
