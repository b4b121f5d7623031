package io.orestes.live;

import io.invalidb.model.MatchEvent;
import io.invalidb.model.MatchType;
import io.invalidb.model.WriteEvent;
import io.invalidb.query.filter.Filter;
import io.invalidb.sorting.WindowEvent;
import io.orestes.invalidb.MatchQuery;
import io.orestes.live.event.EventId;
import io.orestes.live.event.EventLog;
import io.orestes.live.event.LiveChange;
import io.orestes.live.event.LiveEvent;
import io.orestes.live.event.RenderedAfterImage;
import io.orestes.live.request.SubscriptionRequest;
import io.orestes.model.ApiException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
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
 * context in one step. Thread-safe. Its lock only orders events against subscriptions, and
 * listeners run on their own contexts.
 */
abstract sealed class LiveQuery permits AggregateQuery, UnorderedQuery, SortedQuery {

    private final MatchQuery query;
    private final Filter readable;
    private final LiveQueryEnvironment context;
    private final String epoch =
            String.format("%016x", ThreadLocalRandom.current().nextLong());
    private final EventLog log;
    private final long sinceMillis;
    private final Map<Context, List<Subscription>> subscribers = new HashMap<>();
    private final Set<Subscription> announced = new HashSet<>();
    private long departures;

    /**
     * Creates a query without subscribers.
     *
     * @param readable condition for objects that its subscribers may read, which the query
     *     implies
     */
    LiveQuery(MatchQuery query, Filter readable, LiveQueryEnvironment context) {
        this.query = query;
        this.readable = readable;
        this.context = context;
        this.log = new EventLog(context.config().retainedEvents(), context.eventLogBudget());
        this.sinceMillis = context.clock().millis();
    }

    /**
     * Sends the result to an announced subscriber, or resumes its events; completes on its context.
     */
    abstract Future<Void> join(SubscriptionRequest request, Subscription subscription);

    /** Releases all resources; the query is not used any more. */
    abstract void release();

    MatchQuery query() {
        return query;
    }

    LiveQueryEnvironment context() {
        return context;
    }

    EventLog log() {
        return log;
    }

    /**
     * Returns the identifier of this very query; a new query with the same filter has another one.
     */
    String epoch() {
        return epoch;
    }

    /** Returns when it began, in milliseconds since 1970. */
    long sinceMillis() {
        return sinceMillis;
    }

    /** Returns the number of subscribers, including those about to join. */
    synchronized int subscriberCount() {
        Set<Subscription> all = new HashSet<>(announced);
        subscribers.values().forEach(all::addAll);
        return all.size();
    }

    /** Returns the number of events so far. */
    synchronized long eventCount() {
        return log.lastSequence();
    }

    /** Returns the retained events about an object. */
    synchronized ObjectEventHistory history(String objectId) {
        return new ObjectEventHistory(log.eventsOf(objectId), log.covers(0));
    }

    /**
     * Announces a subscriber that is about to join, so that the query is not removed before
     * {@link #onJoined}.
     */
    synchronized Subscription announce(
            Context home, SubscriptionListener listener, SubscriptionRequest request, Consumer<Subscription> onClose) {
        Subscription subscription = new Subscription(this, home, listener, request, onClose);
        announced.add(subscription);
        return subscription;
    }

    /** Records that an announced subscriber has joined, or will not. */
    synchronized void onJoined(Subscription subscription) {
        announced.remove(subscription);
        if (announced.isEmpty()) {
            onAllJoined();
        }
    }

    /** Notifies the query that no subscriber is about to join any more. */
    void onAllJoined() {}

    /** Returns the number of subscribers that have left. */
    synchronized long departures() {
        return departures;
    }

    /**
     * Returns whether there has been no subscriber, joined or announced, since so many had left.
     */
    synchronized boolean isIdleSince(long earlierDepartures) {
        return announced.isEmpty() && subscribers.isEmpty() && departures == earlierDepartures;
    }

    /** Numbers an event about an object and sends it to all subscribers; under the lock. */
    void publish(WindowEvent change) {
        WriteEvent write = change.write();
        RenderedAfterImage object = object(write);
        Integer index = change.index().isPresent() ? change.index().getAsInt() : null;
        publish(new LiveChange(match(change.type(), write), index, object, () -> render(write, object)), null);
    }

    /**
     * Numbers an event about a group, which the write changed, and sends it to all subscribers;
     * under the lock.
     */
    void publish(MatchType type, WriteEvent cause, BsonDocument row, Supplier<Buffer> data) {
        publish(new LiveChange(match(type, cause), null, object(cause), data), row);
    }

    private MatchEvent match(MatchType type, WriteEvent write) {
        return new MatchEvent(query.id(), type, write);
    }

    private @Nullable RenderedAfterImage object(WriteEvent write) {
        return write.upsert()
                .map(upsert -> context.eventLogBudget().share(upsert.afterImage()))
                .orElse(null);
    }

    private void publish(LiveChange change, @Nullable BsonDocument row) {
        LiveEvent event = new LiveEvent(
                new EventId(epoch, log.lastSequence() + 1, 0),
                Instant.ofEpochMilli(context.clock().millis()),
                change);
        log.append(event, row);
        subscribers.forEach((home, group) -> home.runOnContext(ignored -> group.forEach(each -> each.send(event))));
    }

    /** Joins without a result, for events from now on; to be called on its context. */
    void join(Subscription subscription) {
        subscription.sendReady(addAtPosition(subscription));
    }

    /**
     * Resumes after an earlier connection; to be called on its context.
     *
     * @param after the last event of that connection; null if there was none
     * @return false if the events since then are not available any more, or there was none
     */
    boolean resume(Subscription subscription, @Nullable EventId after) {
        if (after == null) {
            return false;
        }
        Optional<List<LiveEvent>> missed = addAfter(subscription, after);
        missed.ifPresent(events -> events.forEach(subscription::send));
        return missed.isPresent();
    }

    /**
     * Adds a subscriber that has received all events up to {@code after}. Returns the events it
     * missed; empty if they are not available any more.
     */
    private synchronized Optional<List<LiveEvent>> addAfter(Subscription subscription, EventId after) {
        Optional<List<LiveEvent>> missed = log.eventsAfter(after.sequence());
        if (!after.epoch().equals(epoch) || missed.isEmpty() || !restoreView(subscription, after)) {
            return Optional.empty();
        }
        add(subscription);
        return missed;
    }

    /**
     * Adds a subscriber, which gets the events after the returned position. The caller must send
     * the earlier state at once, because its events come later on the same context. That happens
     * without the lock, because writes would wait until the state is rendered.
     */
    synchronized EventId addAtPosition(Subscription subscription) {
        add(subscription);
        return position();
    }

    /**
     * Prepares a subscriber that has received all events up to {@code after}; false if its view is
     * not available any more.
     */
    boolean restoreView(Subscription subscription, EventId after) {
        return after.isResultShared();
    }

    EventId position() {
        return new EventId(epoch, log.lastSequence(), 0);
    }

    void remove(Subscription subscription) {
        synchronized (this) {
            subscribers.computeIfPresent(subscription.home(), (home, group) -> without(group, subscription));
            departures++;
        }
        context.onIdle().accept(this);
    }

    /** Ends every subscription, also announced ones, with the same failure. */
    void fail(ApiException failure) {
        failAll(failure);
    }

    private synchronized void failAll(ApiException failure) {
        announced.forEach(each -> each.home().runOnContext(ignored -> each.sendError(failure)));
        subscribers.forEach(
                (home, group) -> home.runOnContext(ignored -> group.forEach(each -> each.sendError(failure))));
    }

    void add(Subscription subscription) {
        if (!subscription.isClosed()) {
            subscribers.merge(subscription.home(), List.of(subscription), LiveQuery::withAdded);
        }
    }

    private Buffer render(WriteEvent write, @Nullable RenderedAfterImage object) {
        return write.upsert()
                .filter(upsert -> readable.matches(upsert.afterImage()))
                .map(upsert -> Objects.requireNonNull(object).text(EventLog.stored(upsert), context.rendering()))
                .orElseGet(() -> context.rendering().json(new BsonDocument("id", new BsonString(write.id()))));
    }

    private static List<Subscription> withAdded(List<Subscription> group, List<Subscription> newcomer) {
        return Stream.concat(group.stream(), newcomer.stream()).toList();
    }

    private static @Nullable List<Subscription> without(List<Subscription> group, Subscription leaver) {
        List<Subscription> rest = group.stream().filter(each -> each != leaver).toList();
        return rest.isEmpty() ? null : rest;
    }
}
