package io.orestes.replication.link;

import io.orestes.async.Contexts;
import io.orestes.coordination.Member;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;

/**
 * The links to all other members, with broadcast of messages and a wait for their acknowledgement.
 * Thread-safe; futures complete on the caller's context.
 */
public final class PeerLinks {

    private static final int CONNECT_MILLIS = 1_000;

    /**
     * Deadline of messages in order, which may be acknowledged late; callers of {@link
     * #awaitOrderedAcknowledged} set their own.
     */
    private static final Duration UNLIMITED = Duration.ofDays(36_500);

    private final Vertx vertx;
    private final PeerTls tls;
    private final NetClient client;
    private final PeerLinkConfig config;

    /** Links by identity of the member. */
    private final Map<String, PeerLink> links = new ConcurrentHashMap<>();

    /** Acknowledgement of the last message in order to each member. */
    private final Map<String, Future<?>> lastOrdered = new ConcurrentHashMap<>();

    /** Creates the links of a server that has none yet. */
    public PeerLinks(Vertx vertx, PeerTls tls, PeerLinkConfig config) {
        this.vertx = vertx;
        this.tls = tls;
        this.client = vertx.createNetClient(new NetClientOptions().setConnectTimeout(CONNECT_MILLIS));
        this.config = config;
    }

    /** Returns whether there is no link. */
    public boolean isEmpty() {
        return links.isEmpty();
    }

    /**
     * Connects to the listener of this server until that is quick; see {@link TlsWarmUp}.
     *
     * @param address its address, in the form that members publish
     * @return succeeds in any case
     */
    public Future<Void> warmUp(String address) {
        return new TlsWarmUp(vertx, client, tls, config.failureTimeout()).run(Member.entering(address));
    }

    /**
     * Opens a link to a member, unless there is one. Must not be called concurrently.
     *
     * @param onSuspected called with the reason, again and again while the member is silent for too
     *     long
     */
    public void open(Member self, Member to, Supplier<Iterator<BsonDocument>> state, Consumer<String> onSuspected) {
        if (!links.containsKey(to.id())) {
            PeerLink peerLink = new PeerLink(
                    vertx, client, to, new PeerLink.PeerLinkContext(self, tls, state, onSuspected), config);
            links.put(to.id(), peerLink);
            peerLink.open();
        }
    }

    /**
     * Sends a message to all. Completes with the outcome for all together when all have
     * acknowledged it or have ended; fails with {@code UNAVAILABLE} after the deadline.
     */
    public Future<DeliveryOutcome> broadcast(BsonDocument message, Duration deadline) {
        RawBsonDocument encoded = FrameCodec.encodeOnce(message);
        List<Future<DeliveryOutcome>> answers = links.values().stream()
                .map(peerLink -> peerLink.send(encoded, deadline))
                .toList();
        return onCallerContext(Future.join(answers).map(done -> done.<DeliveryOutcome>list().stream()
                .reduce(DeliveryOutcome::and)
                .orElse(DeliveryOutcome.ACKNOWLEDGED)));
    }

    /**
     * Sends a message to all whose acknowledgements come in order, so that the last one covers all
     * earlier ones.
     */
    public void broadcastInOrder(BsonDocument message) {
        RawBsonDocument encoded = FrameCodec.encodeOnce(message);
        links.forEach((member, peerLink) ->
                lastOrdered.compute(member, (same, earlier) -> peerLink.send(encoded, UNLIMITED)));
    }

    /**
     * Completes when all have acknowledged the messages in order before this call; fails with
     * {@code UNAVAILABLE} after the deadline.
     */
    public Future<Void> awaitOrderedAcknowledged(Duration deadline) {
        List<Future<?>> answers = List.copyOf(lastOrdered.values());
        if (links.isEmpty() || answers.stream().allMatch(Future::succeeded)) {
            return Future.succeededFuture();
        }
        return onCallerContext(Future.join(answers)
                .timeout(deadline.toMillis(), TimeUnit.MILLISECONDS)
                .recover(failure ->
                        Future.failedFuture(failure instanceof TimeoutException ? UnackedMessages.overdue() : failure))
                .mapEmpty());
    }

    /** Returns the state of each link, by the identity of the member. */
    public Map<String, PeerLinkStatus> states() {
        return links.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue()
                .state()));
    }

    /** Sends the state of the sketch to all again. */
    public void resendState() {
        links.values().forEach(PeerLink::resendState);
    }

    /**
     * Removes a member, which gets no further messages. Waits for it last until its link is closed.
     */
    public Optional<PeerLink> remove(String member) {
        lastOrdered.remove(member);
        return Optional.ofNullable(links.remove(member));
    }

    /** Closes all links. */
    public void close(Future<DeliveryOutcome> outcome) {
        lastOrdered.clear();
        links.values().forEach(peerLink -> peerLink.close(outcome));
        links.clear();
    }

    private <T> Future<T> onCallerContext(Future<T> elsewhere) {
        return Contexts.on(vertx.getOrCreateContext(), elsewhere);
    }
}
