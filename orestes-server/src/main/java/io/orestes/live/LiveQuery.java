package io.orestes.live;

import io.invalidb.model.MatchEvent;
import io.invalidb.model.MatchType;
import io.invalidb.model.WriteEvent;
import io.invalidb.query.Filter;
import io.invalidb.sorting.WindowEvent;
import io.orestes.invalidb.MatchQuery;
import io.orestes.model.ApiException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * A live query with its subscribers, the numbering of its events, and its event log. The log
 * retains the latest events for reconnecting clients. Each event goes to all subscribers of one
 * context in one step. Thread-safe; its lock is held only to order events against subscriptions,
 * and listeners run on their own contexts.
 */
abstract sealed class LiveQuery permits AggregateQuery, FilterQuery, SortedQuery {

    private final MatchQuery query;
    private final Filter readable;
    private final LiveQueryContext tools;
    private final String epoch =
            String.format("%016x", ThreadLocalRandom.current().nextLong());
    private final EventLog log;
    private final long sinceMillis;
    private final Map<Context, List<Subscription>> subscribers = new HashMap<>();
    private final Set<Subscription> opening = new HashSet<>();
    private long departures;

    /**
     * A query without subscribers.
     *
     * @param readable which objects its subscribers may read, which the query implies
     */
    LiveQuery(MatchQuery query, Filter readable, LiveQueryContext tools) {
        this.query = query;
        this.readable = readable;
        this.tools = tools;
        this.log = new EventLog(tools.config().retainedEvents(), tools.memory());
        this.sinceMillis = tools.clock().millis();
    }

    /**
     * Tells an announced subscriber the result, or goes on where it was; completes on its context.
     */
    abstract Future<Void> join(SubscriptionRequest request, Subscription subscription);

    /** Lets go of what it holds; it is not used any more. */
    abstract void release();

    MatchQuery query() {
        return query;
    }

    LiveQueryContext tools() {
        return tools;
    }

    EventLog log() {
        return log;
    }

    /** Names this very query: one that is begun anew with the same filter has another one. */
    String epoch() {
        return epoch;
    }

    /** When it was begun, in milliseconds since 1970. */
    long sinceMillis() {
        return sinceMillis;
    }

    /** How many subscribers are told of changes, or are about to be. */
    synchronized int subscriberCount() {
        Set<Subscription> all = new HashSet<>(opening);
        subscribers.values().forEach(all::addAll);
        return all.size();
    }

    /** How many events there were so far. */
    synchronized long eventCount() {
        return log.last();
    }

    /** What is kept of what it told of an object. */
    synchronized EventHistory told(String objectId) {
        return new EventHistory(log.about(objectId), log.covers(0));
    }

    /**
     * Announces a subscriber that is about to join, so that the query is not given up before {@link
     * #entered}.
     */
    synchronized Subscription enter(
            Context home, SubscriptionListener listener, SubscriptionRequest request, Consumer<Subscription> onClose) {
        Subscription subscription = new Subscription(this, home, listener, request, onClose);
        opening.add(subscription);
        return subscription;
    }

    /** An announced subscriber has joined, or will not. */
    synchronized void entered(Subscription subscription) {
        opening.remove(subscription);
        if (opening.isEmpty()) {
            allEntered();
        }
    }

    /** Nobody is about to join any more. */
    void allEntered() {}

    /** How many subscribers have left. */
    synchronized long departures() {
        return departures;
    }

    /** Nobody is there or about to join, nor was since so many had left. */
    synchronized boolean isIdleSince(long earlierDepartures) {
        return opening.isEmpty() && subscribers.isEmpty() && departures == earlierDepartures;
    }

    /** Numbers an event about an object and tells it to everybody; under the lock. */
    void tell(WindowEvent change) {
        WriteEvent write = change.write();
        Optional<AfterImage> object = object(write);
        tell(change.type(), change.index(), write, object, Optional.empty(), () -> render(write, object));
    }

    /**
     * Numbers an event about a group, which the write changed, and tells it to everybody; under the
     * lock.
     */
    void tell(MatchType type, WriteEvent cause, BsonDocument row, Supplier<Buffer> data) {
        tell(type, OptionalInt.empty(), cause, object(cause), Optional.of(row), data);
    }

    private Optional<AfterImage> object(WriteEvent write) {
        return write instanceof WriteEvent.Upsert upsert
                ? Optional.of(tools.memory().share(upsert.afterImage()))
                : Optional.empty();
    }

    private void tell(
            MatchType type,
            OptionalInt index,
            WriteEvent cause,
            Optional<AfterImage> object,
            Optional<BsonDocument> row,
            Supplier<Buffer> data) {
        LiveEvent event = new LiveEvent(
                new EventId(epoch, log.last() + 1, 0),
                new MatchEvent(query.id(), type, cause),
                index,
                Instant.ofEpochMilli(tools.clock().millis()),
                object,
                data);
        log.append(event, row);
        subscribers.forEach((home, group) -> home.runOnContext(ignored -> group.forEach(each -> each.send(event))));
    }

    /** Joins without a result: events from now on; to be called on its context. */
    void join(Subscription subscription) {
        subscription.sendReady(addNow(subscription));
    }

    /**
     * Joins where an earlier connection broke off; to be called on its context.
     *
     * @return false if what the client knows cannot be told any more
     */
    boolean resume(Subscription subscription, EventId after) {
        Optional<List<LiveEvent>> missed = addAfter(subscription, after);
        missed.ifPresent(events -> events.forEach(subscription::send));
        return missed.isPresent();
    }

    /**
     * Adds a subscriber that knows everything up to that place; what it missed is empty if that is
     * not known any more.
     */
    private synchronized Optional<List<LiveEvent>> addAfter(Subscription subscription, EventId after) {
        Optional<List<LiveEvent>> missed = log.after(after.sequence());
        if (!after.epoch().equals(epoch) || missed.isEmpty() || !recall(subscription, after)) {
            return Optional.empty();
        }
        add(subscription);
        return missed;
    }

    /**
     * Adds a subscriber, which gets the events after the place that is returned. It has to be told
     * what was before without the lock, as writes would wait until that is rendered, and at once:
     * its events come later on the same context.
     */
    synchronized EventId addNow(Subscription subscription) {
        add(subscription);
        return place();
    }

    /**
     * Prepares a subscriber that knows everything up to that place; false if that is not known any
     * more.
     */
    boolean recall(Subscription subscription, EventId after) {
        return after.isSettled();
    }

    EventId place() {
        return new EventId(epoch, log.last(), 0);
    }

    void leave(Subscription subscription) {
        synchronized (this) {
            subscribers.computeIfPresent(subscription.home(), (home, group) -> without(group, subscription));
            departures++;
        }
        tools.onIdle().accept(this);
    }

    /** Ends every subscription with the same failure, also those that are about to begin. */
    void fail(ApiException failure) {
        failAll(failure);
    }

    private synchronized void failAll(ApiException failure) {
        opening.forEach(each -> each.home().runOnContext(ignored -> each.sendError(failure)));
        subscribers.forEach(
                (home, group) -> home.runOnContext(ignored -> group.forEach(each -> each.sendError(failure))));
    }

    void add(Subscription subscription) {
        if (!subscription.isClosed()) {
            subscribers.merge(subscription.home(), List.of(subscription), LiveQuery::joined);
        }
    }

    private Buffer render(WriteEvent write, Optional<AfterImage> object) {
        return write instanceof WriteEvent.Upsert upsert && readable.matches(upsert.afterImage())
                ? object.orElseThrow().text(EventLog.stored(upsert), tools.rendering())
                : tools.rendering().json(new BsonDocument("id", new BsonString(write.id())));
    }

    private static List<Subscription> joined(List<Subscription> group, List<Subscription> newcomer) {
        return Stream.concat(group.stream(), newcomer.stream()).toList();
    }

    private static @Nullable List<Subscription> without(List<Subscription> group, Subscription leaver) {
        List<Subscription> rest = group.stream().filter(each -> each != leaver).toList();
        return rest.isEmpty() ? null : rest;
    }
}
