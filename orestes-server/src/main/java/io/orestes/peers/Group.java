package io.orestes.peers;

import io.orestes.caching.Caches;
import io.orestes.caching.Replicas;
import io.orestes.coordination.Coordinator;
import io.orestes.coordination.Member;
import io.orestes.coordination.MembershipListener;
import io.orestes.flow.Contexts;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Outcome;
import io.orestes.write.OtherServers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This server among the others of its group. Thread-safe.
 *
 * <p><b>Why no server calls a stale copy fresh.</b> A copy leaves a server only after all others have confirmed that they know until when
 * caches may hold it ({@link Caches#admit}). A write is answered only when all others have confirmed that they heard of it, and
 * each that handed out copies has, before, told all others that they are stale ({@link Caches#invalidate}, {@link #settled}). So when the
 * write is answered every server has its key in the filter for as long as any copy may live. Who joins is told by every member all that it
 * knows before it answers anybody. Who is gone knew nothing about objects that others do not know; the query results it handed out count as
 * changed, and that is confirmed by all before a write is answered that waited for it. Who is not heard of is evicted, and by the rule of
 * {@link Coordinator} it hands out nothing any more when it has vanished from the list.
 */
public final class Group implements Replicas, OtherServers {

    private static final Logger log = LoggerFactory.getLogger(Group.class);

    private static final Member NOBODY = new Member("", "");
    private static final Future<Confirmation> DONE = Future.succeededFuture(Confirmation.DONE);
    private static final long RETRY_MILLIS = 500;
    private static final int CONNECT_MILLIS = 1_000;
    private static final int MOST_MEMBERS = 1_000;

    /** How long one that leaves waits for others to take in what it tells them last. */
    private static final Duration FAREWELL = Duration.ofSeconds(5);

    private final Vertx vertx;
    private final GroupConfig config;
    private final Coordinator coordinator;
    private final Caches caches;
    private final Greeting greeting;
    private final Door door;
    private final WebSocketClient client;

    private final Links links;
    private final Evictions evictions;
    private final Set<String> gone = ConcurrentHashMap.newKeySet();

    /** Who told all it knows, and whether it knew all. */
    private final Map<String, Boolean> heardOut = new ConcurrentHashMap<>();

    private final Promise<Void> entry = Promise.promise();
    private volatile Duties duties = Duties.NONE;
    private volatile Member self = NOBODY;
    private volatile String info = "";
    private volatile boolean isComplete;
    private volatile boolean isSettled;
    private volatile boolean isCompleting;
    private volatile boolean isLeaving;

    /**
     * A server that has not entered yet. Its caches are told at once that they are those of a group.
     *
     * @param secret what all servers of the group know and nobody else
     */
    public Group(Vertx vertx, GroupConfig config, Coordinator coordinator, byte[] secret, Caches caches) {
        this.vertx = vertx;
        this.config = config;
        this.coordinator = coordinator;
        this.caches = caches;
        this.greeting = new Greeting(secret);
        this.client = vertx.createWebSocketClient(
                new WebSocketClientOptions().setConnectTimeout(CONNECT_MILLIS).setMaxConnections(MOST_MEMBERS));
        this.links = new Links(vertx);
        this.evictions = new Evictions(vertx, coordinator);
        this.door = new Door(vertx, new Visited(), config.patience());
        caches.replicate(this);
    }

    /**
     * Enters the group and completes when this server knows all that the others know, on the caller's context.
     *
     * @param process the server's name in the store; empty if it has none
     */
    public Future<Void> enter(String process, Duties itsDuties) {
        duties = itsDuties;
        coordinator.listen(new Changes());
        return Contexts.on(
                vertx.getOrCreateContext(),
                door.open(config.host(), config.port())
                        .compose(port -> join(new MemberInfo(config.host() + ":" + port, process))));
    }

    /** This server; nobody while it is no member. */
    public Member self() {
        return self;
    }

    /** How it is with what each other member is told, by its identity. */
    public Map<String, LinkState> links() {
        return links.states();
    }

    /** Leaves the group. */
    public Future<Void> leave() {
        isLeaving = true;
        links.tellInOrder(new Message.Leaving());
        return settled(FAREWELL)
                .otherwiseEmpty()
                .compose(told -> coordinator.leave())
                .onComplete(left -> drop())
                .compose(left -> door.close());
    }

    @Override
    public boolean areNone() {
        return false;
    }

    @Override
    public boolean isCurrent() {
        return isComplete && coordinator.isCurrent();
    }

    /**
     * Whether this server has been told, or is going to be, of all that others write, though it may not be current for a moment; not while
     * it has to enter anew.
     */
    public boolean isWhole() {
        return isComplete;
    }

    @Override
    public void requireMembership() {
        if (!isCurrent()) {
            throw notCurrent();
        }
    }

    @Override
    public Future<Void> held(String key, Duration time) {
        return links.tellAll(new Message.Held(key, time), config.patience()).mapEmpty();
    }

    @Override
    public void stale(String key) {
        links.tellInOrder(new Message.Stale(key));
    }

    @Override
    public void purged() {
        links.tellInOrder(new Message.Purged());
    }

    @Override
    public void cleared() {
        links.tellInOrder(new Message.Cleared());
    }

    @Override
    public Future<Void> settled() {
        return settled(config.deadline());
    }

    private Future<Void> settled(Duration longest) {
        // one that is entering is told of writes already and has to answer
        if (self.equals(NOBODY)) {
            return Future.failedFuture(notCurrent());
        }
        return links.settled(longest);
    }

    @Override
    public Future<Optional<Duration>> written(Outcome outcome, Future<Optional<Duration>> here) {
        if (links.areNone()) {
            return here.map(this::stillCurrent);
        }
        Future<Optional<Duration>> others =
                heardByAll(new Message.Written(outcome), outcome.ref().id());
        return Future.join(here, others).map(done -> stillCurrent(shorter(here.result(), others.result())));
    }

    /** Tells all others that what a user may do changed; completes as {@link #written} does. */
    public Future<Void> rightsChanged(ObjectRef user) {
        return toldAll(new Message.RightsChanged(user));
    }

    /** Has all others leave objects of these classes alone until {@link #resume}; completes as {@link #written} does. */
    public Future<Void> pause(String turn, Set<String> buckets) {
        return toldAll(new Message.Pause(turn, buckets));
    }

    /** Has all others take over the stored schema, and go on with what they leave alone for that turn; completes as {@link #written} does. */
    public Future<Void> resume(String turn) {
        return toldAll(new Message.Resume(turn));
    }

    /** Tells all others that there is another schema; completes as {@link #written} does. */
    public Future<Void> schemaChanged() {
        return toldAll(new Message.SchemaChanged());
    }

    /** Tells all others that the indexes of a class are other ones; completes as {@link #written} does. */
    public Future<Void> indexesChanged(String bucket) {
        return toldAll(new Message.IndexesChanged(bucket));
    }

    /**
     * Tells all others that objects of a class, or of all classes if the name is empty, may have changed in ways that nobody knows;
     * completes as {@link #written} does.
     */
    public Future<Void> missed(String bucket) {
        return toldAll(new Message.Missed(bucket));
    }

    private Future<Void> toldAll(Message message) {
        return tellAll(message).map(this::stillCurrent).mapEmpty();
    }

    private <T> T stillCurrent(T outcome) {
        requireMembership();
        return outcome;
    }

    private static Optional<Duration> shorter(Optional<Duration> one, Optional<Duration> other) {
        return one.flatMap(first -> other.map(second -> first.compareTo(second) < 0 ? first : second));
    }

    /** Until a round in which nobody was declared gone: who was may have handed out copies that only it told of. */
    private Future<Optional<Duration>> heardByAll(Message message, String key) {
        return tellAll(message)
                .compose(answers -> answers.stream().allMatch(Confirmation::isFromTheLiving)
                        ? Future.succeededFuture(kept(answers))
                        : heardByAll(new Message.Stale(key), key).map(repeated -> Optional.empty()));
    }

    private static Optional<Duration> kept(List<Confirmation> answers) {
        return answers.stream().map(Confirmation::kept).reduce(Group::shorter).orElse(Optional.empty());
    }

    private Future<List<Confirmation>> tellAll(Message message) {
        return links.tellAll(message, config.deadline());
    }

    private Future<Void> join(MemberInfo published) {
        info = published.text();
        return coordinator.join(info).compose(joined -> {
            entered(joined);
            return entry.future();
        });
    }

    private void entered(Member joined) {
        isSettled = false;
        self = joined;
        review();
        long unused = vertx.setTimer(config.settling().toMillis(), later -> settle(joined));
    }

    /** Who is current now, and was not in the list, has seen this server in it and tells it everything. */
    private void settle(Member joined) {
        isSettled = self.equals(joined);
        review();
    }

    /** Opens links as the list of members says, and finds out whether this server knows all by now. */
    private synchronized void review() {
        List<Member> members = coordinator.members().stream()
                .filter(member -> !gone.contains(member.id()))
                .toList();
        if (self.equals(NOBODY)) {
            return;
        }
        members.stream().filter(member -> !member.equals(self)).forEach(this::meet);
        if (!isComplete && members.contains(self)) {
            begin(members);
        }
    }

    private void meet(Member member) {
        links.open(member.id(), () -> new Link(vertx, client, member, dialing(member), config));
    }

    private Link.Dialing dialing(Member member) {
        return new Link.Dialing(self, greeting, this::state, () -> evictions.ask(member));
    }

    /** What all that is told after it adds to. */
    private Iterator<Message> state() {
        boolean knowsAll = isComplete;
        return new StateParts(caches.memory().shifted(-caches.millis()), knowsAll);
    }

    /** Once it knows what all others know, and one of these knew all; the first of those that know nothing assumes the worst. */
    private void begin(List<Member> members) {
        boolean isHeardOut = isSettled
                && members.stream().allMatch(member -> member.equals(self) || heardOut.containsKey(member.id()));
        if (isHeardOut && heardOut.containsValue(true)) {
            complete(false);
        } else if (isHeardOut && members.get(0).equals(self)) {
            complete(true);
        }
    }

    /** What was read meanwhile may be older than what this server was told, and the schema may be another one. */
    private void complete(boolean isFirst) {
        if (!isCompleting) {
            isCompleting = true;
            Member entering = self;
            duties.begin(isFirst).onComplete(done -> complete(entering, isFirst, done.succeeded()));
        }
    }

    private synchronized void complete(Member entering, boolean isFirst, boolean isUpToDate) {
        isCompleting = false;
        if (!isUpToDate || !self.equals(entering)) {
            long unused = vertx.setTimer(RETRY_MILLIS, later -> review());
            return;
        }
        duties.forgetAll();
        if (isFirst) {
            caches.staleKeys()
                    .assumeAllStale(caches.millis() + config.longestTtl().toMillis());
        }
        isComplete = true;
        if (isFirst) {
            links.retellState();
        }
        log.info("This server is a member of its group: {}", self);
        boolean unused = entry.tryComplete();
    }

    private Future<Confirmation> hear(String member, Message message) {
        if (gone.contains(member)) {
            return Future.failedFuture(notCurrent());
        }
        if (message instanceof Message.Written written) {
            return duties.announce(member, written.outcome())
                    .compose(kept -> caches.settled().map(Confirmation.of(kept)));
        }
        return answeredLater(message).orElseGet(() -> {
            note(member, message);
            return DONE;
        });
    }

    /** What takes reading the store, or waiting for writes under way. */
    private Optional<Future<Confirmation>> answeredLater(Message message) {
        if (message instanceof Message.Pause pause) {
            return Optional.of(duties.pause(pause.turn(), pause.buckets()).map(Confirmation.DONE));
        }
        if (message instanceof Message.Resume resume) {
            return Optional.of(duties.resume(resume.turn()).map(Confirmation.DONE));
        }
        if (message instanceof Message.SchemaChanged) {
            return Optional.of(duties.schemaChanged().map(Confirmation.DONE));
        }
        return message instanceof Message.IndexesChanged changed
                ? Optional.of(duties.indexesChanged(changed.bucket()).map(Confirmation.DONE))
                : Optional.empty();
    }

    private void note(String member, Message message) {
        if (message instanceof Message.Missed missed) {
            duties.missed(missed.bucket());
        } else if (message instanceof Message.Held held) {
            caches.heldElsewhere(member, held.key(), held.time());
        } else if (message instanceof Message.Stale stale) {
            caches.staleElsewhere(stale.key());
        } else if (message instanceof Message.RightsChanged changed) {
            duties.rightsChanged(changed.user());
        } else if (message instanceof Message.Gone other) {
            end(other.member(), false);
        } else if (message instanceof Message.Leaving) {
            end(member, true);
        } else if (message instanceof Message.State state) {
            learn(member, state);
        } else if (message instanceof Message.Purged) {
            caches.purgeAllHere();
        } else {
            caches.clearHere();
        }
    }

    private void learn(String member, Message.State state) {
        caches.join(member, state.memory().shifted(caches.millis()));
        if (state.isLast()) {
            synchronized (this) {
                heardOut.merge(member, state.isComplete(), Boolean::logicalOr);
            }
            review();
        }
    }

    /** All are told before anybody who waited for that member goes on. */
    private synchronized void end(String member, boolean isOrderly) {
        if (!gone.add(member)) {
            return;
        }
        heardOut.remove(member);
        evictions.forget(member);
        Optional<Link> link = links.remove(member);
        caches.serverGone(member, isOrderly);
        // who leaves in order tells each itself, after all that it has to tell
        if (!isOrderly) {
            duties.vanished(member);
            links.tellInOrder(new Message.Gone(member));
            door.hangUp(member::equals);
        }
        if (isFirst()) {
            duties.takeOver();
        }
        link.ifPresent(this::close);
        review();
    }

    private void close(Link departed) {
        departed.close(Future.succeededFuture(Confirmation.GONE));
        duties.departed(MemberInfo.of(departed.member()).process());
    }

    private boolean isFirst() {
        return coordinator.members().stream()
                .filter(member -> !gone.contains(member.id()))
                .findFirst()
                .filter(self::equals)
                .isPresent();
    }

    /** Forgets the group, and what could be out of date because of that. */
    private synchronized void drop() {
        isComplete = false;
        self = NOBODY;
        heardOut.clear();
        links.close(Future.failedFuture(notCurrent()));
        door.hangUp(everybody -> true);
    }

    private void joinAgain() {
        coordinator.join(info).onComplete(done -> {
            if (done.succeeded()) {
                entered(done.result());
            } else if (!isLeaving) {
                long unused = vertx.setTimer(RETRY_MILLIS, again -> joinAgain());
            }
        });
    }

    private static ApiException notCurrent() {
        return new ApiException(
                ErrorCode.UNAVAILABLE, "This server has lost touch with the others of its group; try again");
    }

    /** What others find here. */
    private final class Visited implements Door.Host {

        @Override
        public Greeting greeting() {
            return greeting;
        }

        @Override
        public String self() {
            return self.id();
        }

        @Override
        public Future<Confirmation> hear(String member, Message message) {
            return Group.this.hear(member, message);
        }
    }

    /** Follows the list of members. */
    private final class Changes implements MembershipListener {

        @Override
        public void joined(Member member) {
            review();
        }

        @Override
        public void gone(Member member) {
            log.warn("Member {} is gone", member);
            end(member.id(), false);
        }

        @Override
        public void lost() {
            log.warn("This server is no member of its group any more: {}", self);
            drop();
            duties.forgetAll();
            if (!isLeaving) {
                joinAgain();
            }
        }
    }
}
