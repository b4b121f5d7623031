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
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * The reconciler of change events with the writes that servers announced; it announces every write
 * they did not.
 *
 * <p>An announcement of a server explains a change of the same version and time. The change may be
 * read before its announcement, so a change that looks like a server's is given a moment. All other
 * changes are looked up in the store as it is now. An object whose present content is announced
 * already is left. A change that brought its own version is announced as it is, unless that version
 * is in use. After any other change the object gets the next version, since copies of different
 * content must not have equal versions. So it does not matter in which order, or how often, changes
 * of an object are looked at.
 */
final class ChangeReconciler {

    /** How long after its commit a server usually has told of it. */
    private static final Duration GRACE = Duration.ofMillis(250);

    private static final Duration LOOK_AGAIN = Duration.ofMillis(10);

    /** By how much the clocks of servers and store may differ. */
    private static final long SKEW_MILLIS = 10_000;

    private static final int AT_ONCE = 32;

    private final Vertx vertx;
    private final ChangeFeed feed;
    private final Function<WriteOutcome, Future<Void>> tell;
    private final RecentWrites known;
    private final ChangeFeedMetrics meters;

    /** @param tell succeeds when all servers know */
    ChangeReconciler(
            Vertx vertx,
            ChangeFeed feed,
            Function<WriteOutcome, Future<Void>> tell,
            RecentWrites known,
            ChangeFeedMetrics meters) {
        this.vertx = vertx;
        this.feed = feed;
        this.tell = tell;
        this.known = known;
        this.meters = meters;
    }

    /** Succeeds when all servers know of these changes, and of what members told that are gone. */
    Future<?> of(List<ChangeEvent.ObjectWriteEvent> changes) {
        List<ChangeEvent.ObjectWriteEvent> open =
                changes.stream().filter(change -> !explained(change)).toList();
        return moment(open, System.nanoTime() + GRACE.toNanos())
                .compose(over -> each(lastOfEach(open), this::check))
                .compose(checked -> each(known.doubtful(), this::tellAgain));
    }

    private boolean explained(ChangeEvent.ObjectWriteEvent change) {
        boolean isOwn = known.explains(change);
        if (isOwn) {
            meters.own();
        }
        return isOwn;
    }

    /** Completes when all of them are told that may be, or when that has taken too long. */
    private Future<Void> moment(List<ChangeEvent.ObjectWriteEvent> open, long endNanos) {
        if (open.stream().noneMatch(known::isAwaited) || System.nanoTime() - endNanos > 0) {
            return Future.succeededFuture();
        }
        Promise<Void> later = Promise.promise();
        long unused = vertx.setTimer(LOOK_AGAIN.toMillis(), timer -> later.complete());
        return later.future().compose(now -> moment(open, endNanos));
    }

    /**
     * What one of them told of meanwhile is explained, and of several changes of one object the
     * last one says most.
     */
    private List<ChangeEvent.ObjectWriteEvent> lastOfEach(List<ChangeEvent.ObjectWriteEvent> open) {
        Map<ObjectRef, ChangeEvent.ObjectWriteEvent> last = new LinkedHashMap<>();
        open.stream().filter(change -> !explained(change)).forEach(change -> last.put(change.ref(), change));
        return List.copyOf(last.values());
    }

    private <T> Future<Void> each(List<T> items, Function<T, Future<?>> action) {
        if (items.isEmpty()) {
            return Future.succeededFuture();
        }
        int[] next = {0};
        return Loop.whileTrue(() -> {
            List<T> some = items.subList(next[0], Math.min(next[0] + AT_ONCE, items.size()));
            next[0] += some.size();
            return Future.join(some.stream().<Future<?>>map(action).toList()).map(done -> next[0] < items.size());
        });
    }

    private Future<?> check(ChangeEvent.ObjectWriteEvent change) {
        Optional<VersionStamp> latest = known.latest(change.ref());
        return feed.current(change.ref())
                .compose(found -> found.<Future<?>>map(sighting -> settle(change, sighting, latest))
                        .orElseGet(() -> ended(change.ref(), latest)));
    }

    private Future<?> settle(
            ChangeEvent.ObjectWriteEvent change, ChangeFeed.ObservedState found, Optional<VersionStamp> latest) {
        StoredObject state = found.state();
        if (found.isAdopted()) {
            return renewed(state);
        }
        if (change.kind() == ChangeEvent.ChangeKind.PART ? known.hasOwn(state) : known.has(state)) {
            meters.own();
            return Future.succeededFuture();
        }
        if (change.kind() != ChangeEvent.ChangeKind.PART && known.hasDoubtful(state)) {
            return toldAsItIs(state).onSuccess(all -> known.trust(state.ref()));
        }
        if (isOfLaterChange(change, state)) {
            return Future.succeededFuture();
        }
        return brings(change, state, latest) ? toldAsItIs(state) : renew(change.ref(), latest);
    }

    /**
     * Whether the object got its version and time after the change: then that is still to be read,
     * or was told by who did it.
     */
    private static boolean isOfLaterChange(ChangeEvent.ObjectWriteEvent change, StoredObject state) {
        boolean hadNone = change.kind() != ChangeEvent.ChangeKind.PART
                && (change.version().isEmpty() || change.updatedAt().isEmpty());
        return hadNone || (change.version().isPresent() && !isOf(change, state));
    }

    private static boolean isOf(ChangeEvent.ObjectWriteEvent change, StoredObject state) {
        return change.version().equals(OptionalLong.of(state.version()))
                && (change.updatedAt().isEmpty() || change.updatedAt().getAsLong() == state.updatedAt());
    }

    /**
     * Whether the version came with the change: a whole state may have been read and put back under
     * the one that it had. Where nobody told of the object lately, that of the state is recent; a
     * server may have stood still between giving it its time and committing it.
     */
    private boolean brings(ChangeEvent.ObjectWriteEvent change, StoredObject state, Optional<VersionStamp> latest) {
        return change.version().isPresent()
                && latest.map(last -> state.stamp().isAfter(last))
                        .orElseGet(() -> change.kind() == ChangeEvent.ChangeKind.PART || isRecent(change, state));
    }

    private boolean isRecent(ChangeEvent.ObjectWriteEvent change, StoredObject state) {
        long age = Math.abs(change.committedMillis() - state.updatedAt());
        return age <= Math.max(SKEW_MILLIS, known.reach().toMillis());
    }

    private Future<?> renew(ObjectRef ref, Optional<VersionStamp> latest) {
        return feed.renew(ref, latest)
                .compose(next -> next.<Future<?>>map(this::renewed).orElseGet(() -> ended(ref, latest)));
    }

    private Future<?> renewed(StoredObject state) {
        meters.renewed();
        return told(state);
    }

    private Future<Void> toldAsItIs(WriteOutcome writeOutcome) {
        meters.told();
        return told(writeOutcome).onSuccess(all -> known.toldAsItIs(writeOutcome));
    }

    private Future<?> ended(ObjectRef ref, Optional<VersionStamp> latest) {
        if (known.hasEnded(ref)) {
            meters.own();
            return Future.succeededFuture();
        }
        return feed.end(ref, latest).compose(this::toldAsItIs);
    }

    /** Of an object of which not everybody may have been told. */
    private Future<?> tellAgain(ObjectRef ref) {
        Optional<VersionStamp> latest = known.latest(ref);
        return feed.current(ref)
                .compose(found -> found.<Future<?>>map(sighting -> toldAsItIs(sighting.state()))
                        .orElseGet(() -> feed.end(ref, latest).compose(this::toldAsItIs)))
                .onSuccess(all -> known.trust(ref));
    }

    private Future<Void> told(WriteOutcome writeOutcome) {
        return tell.apply(writeOutcome).onFailure(failure -> known.doubt(writeOutcome.ref()));
    }
}
