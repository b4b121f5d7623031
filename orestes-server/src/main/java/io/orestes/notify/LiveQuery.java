package io.orestes.notify;

import io.invalidb.model.MatchEvent;
import io.invalidb.model.WriteEvent;
import io.invalidb.query.Filter;
import io.orestes.model.ApiException;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.read.Rendering;
import io.orestes.realtime.Hold;
import io.orestes.realtime.MatchQuery;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * One live query with everybody who subscribed to it: numbers its events, keeps the latest for reconnecting clients, and
 * hands each event to all subscribers of one context in one go. The lock is held only to order events against
 * subscriptions; listeners run on their own contexts.
 */
final class LiveQuery {

    /** Most results kept for clients that were told of them but not yet that they settled. */
    private static final int MOST_RESULTS = 64;

    private final MatchQuery query;
    private final Filter readable;
    private final InstantSource clock;
    private final Rendering rendering;
    private final Runnable onEmpty;
    private final String epoch =
            String.format("%016x", ThreadLocalRandom.current().nextLong());
    private final EventLog log;
    private final Map<Context, List<Subscription>> subscribers = new HashMap<>();
    private final NavigableMap<Long, ToldResult> results = new TreeMap<>();
    private long lastResult;
    private final Set<Subscription> opening = new HashSet<>();
    private @Nullable Reading reading;
    private Instant idleSince = Instant.MAX;
    private Future<Hold> hold = Future.failedFuture("never asked for");

    LiveQuery(
            MatchQuery query,
            Filter readable,
            LiveConfig config,
            InstantSource clock,
            Rendering rendering,
            Runnable onEmpty) {
        this.query = query;
        this.readable = readable;
        this.clock = clock;
        this.rendering = rendering;
        this.onEmpty = onEmpty;
        this.log = new EventLog(config.retainedEvents(), config.resumeWindow());
    }

    MatchQuery query() {
        return query;
    }

    /** Announces a subscriber that is about to join, so that the query is not given up before {@link #entered}. */
    synchronized Subscription enter(
            Context home, LiveListener listener, LiveRequest request, Consumer<Subscription> onClose) {
        Subscription subscription = new Subscription(this, home, listener, request, onClose);
        opening.add(subscription);
        return subscription;
    }

    /** An announced subscriber has joined, or will not. With the last of them goes the result they shared. */
    synchronized void entered(Subscription subscription) {
        opening.remove(subscription);
        if (opening.isEmpty()) {
            reading = null;
        }
    }

    /** The result, read now unless one is there that events can make current. */
    synchronized Reading read(Function<MatchQuery, Future<List<StoredObject>>> execution) {
        Reading known = reading;
        return known != null && !known.result().failed() && log.covers(known.since()) ? known : readAnew(execution);
    }

    /** The result, read from now on. */
    synchronized Reading readAnew(Function<MatchQuery, Future<List<StoredObject>>> execution) {
        Reading begun = new Reading(log.last(), execution.apply(query));
        reading = begun;
        return begun;
    }

    /** The hold that keeps the query in the grid; asked for anew after a failure. */
    synchronized Future<Hold> holdBy(Function<MatchQuery, Future<Hold>> holding) {
        if (hold.failed()) {
            hold = holding.apply(query);
        }
        return hold;
    }

    /** Nobody has subscribed since then, nor is about to. */
    synchronized boolean isIdleSince(Instant horizon) {
        return opening.isEmpty() && subscribers.isEmpty() && !idleSince.isAfter(horizon);
    }

    /** A change found by InvaliDB; any thread. */
    synchronized void accept(MatchEvent match) {
        EventId id = new EventId(epoch, log.last() + 1, 0);
        LiveEvent event = new LiveEvent(id, match, Instant.ofEpochMilli(clock.millis()), () -> render(match.write()));
        log.append(event);
        subscribers.forEach((home, group) -> home.runOnContext(ignored -> group.forEach(each -> each.send(event))));
    }

    /**
     * Joins with a result that was read after {@code since}.
     *
     * @return false if the events since then are not all known any more, and the result has to be read again
     */
    synchronized boolean join(Subscription subscription, List<StoredObject> result, long since) {
        if (!log.covers(since)) {
            return false;
        }
        List<StoredObject> current = log.fold(result, since);
        ToldResult told = ToldResult.of(++lastResult, log.last(), current);
        remember(told);
        subscription.begin(told.copy(), place());
        add(subscription);
        subscription.sendResult(place(), current);
        return true;
    }

    /** Joins without a result: events from now on. */
    synchronized void join(Subscription subscription) {
        add(subscription);
        subscription.sendReady(place());
    }

    /** Joins where an earlier connection broke off; false if what the client knows cannot be told any more. */
    synchronized boolean resume(Subscription subscription, EventId after) {
        if (!after.epoch().equals(epoch) || !log.covers(after.sequence())) {
            return false;
        }
        if (!after.isSettled() && !recall(subscription, after)) {
            return false;
        }
        add(subscription);
        log.after(after.sequence()).forEach(subscription::send);
        return true;
    }

    /** Who got the result was told that it has settled, or has been gone for long. */
    synchronized void forgetResult(long number) {
        results.remove(number);
    }

    /** Works out what a client knows that got a result and then the events up to its last one. */
    private boolean recall(Subscription subscription, EventId after) {
        ToldResult result = results.get(after.result());
        if (result == null || !log.covers(result.sequence())) {
            return false;
        }
        ToldResult told = result.copy();
        log.after(result.sequence()).stream()
                .filter(event -> event.id().sequence() <= after.sequence())
                .forEach(told::tell);
        subscription.begin(told, after);
        return true;
    }

    private void remember(ToldResult told) {
        results.put(told.number(), told);
        if (results.size() > MOST_RESULTS) {
            results.pollFirstEntry();
        }
    }

    private EventId place() {
        return new EventId(epoch, log.last(), 0);
    }

    void leave(Subscription subscription) {
        synchronized (this) {
            subscribers.computeIfPresent(subscription.home(), (home, group) -> without(group, subscription));
            idleSince = clock.instant();
        }
        onEmpty.run();
    }

    /** Ends every subscription with the same failure, also those that are about to begin. */
    synchronized void fail(ApiException failure) {
        opening.forEach(each -> each.home().runOnContext(ignored -> each.sendError(failure)));
        subscribers.forEach(
                (home, group) -> home.runOnContext(ignored -> group.forEach(each -> each.sendError(failure))));
    }

    private void add(Subscription subscription) {
        if (!subscription.isClosed()) {
            subscribers.merge(subscription.home(), List.of(subscription), LiveQuery::joined);
        }
    }

    private Buffer render(WriteEvent write) {
        if (write instanceof WriteEvent.Upsert upsert && readable.matches(upsert.afterImage())) {
            ObjectRef ref = ObjectRef.parse(write.id()).orElseThrow();
            return rendering.object(new StoredObject(ref, upsert.afterImage()));
        }
        return rendering.json(new BsonDocument("id", new BsonString(write.id())));
    }

    private static List<Subscription> joined(List<Subscription> group, List<Subscription> newcomer) {
        return Stream.concat(group.stream(), newcomer.stream()).toList();
    }

    private static @Nullable List<Subscription> without(List<Subscription> group, Subscription leaver) {
        List<Subscription> rest = group.stream().filter(each -> each != leaver).toList();
        return rest.isEmpty() ? null : rest;
    }
}
