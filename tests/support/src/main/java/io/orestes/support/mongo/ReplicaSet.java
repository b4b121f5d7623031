package io.orestes.support.mongo;

import com.mongodb.MongoCommandException;
import io.orestes.support.process.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * A replica set of three mongods that can be split. The first one is the primary, the second its
 * successor. The third copies from the second. No other member stands for election, however busy
 * the machine is. Closing the set ends all.
 */
public final class ReplicaSet implements AutoCloseable {

    private final List<Mongod> members;

    private ReplicaSet(List<Mongod> members) {
        this.members = members;
    }

    /** Starts a replica set and waits until a majority takes writes. */
    public static ReplicaSet start() {
        ReplicaSet set = new ReplicaSet(
                Stream.generate(ReplicaSet::launchMember).limit(3).toList());
        try {
            set.initiate();
            return set;
        } catch (RuntimeException | AssertionError failure) {
            set.close();
            throw failure;
        }
    }

    private static Mongod launchMember() {
        return Mongod.inTemporaryFolder()
                .replicaSet("rs0")
                .flags(Mongod.FAIL_POINTS)
                .launch();
    }

    private void initiate() {
        members.forEach(Mongod::awaitAnswer);
        // A member refuses a source for a minute that has no entry as old as its own last one. The
        // other one has none right after its initial sync.
        secondaries().forEach(member -> forceSource(member, primary()));
        primary().command("{replSetInitiate: " + configuration() + "}");
        elect(primary());
        Waiting.until("both others are secondaries", () -> secondaries().stream()
                .allMatch(member -> says(member, "secondary")));
        // so that each has an entry after the end of any other's initial sync
        note(primary(), members.size());
        follow(successor(), primary());
        follow(members.get(2), successor());
        // members copy nothing while they change their source
        note(primary(), members.size());
    }

    /**
     * Returns the configuration. A new primary waits for a second for writes that only the old one
     * has. Without the limit it waits for ever, because it copies nothing from an earlier term.
     */
    private String configuration() {
        return IntStream.range(0, members.size())
                .mapToObj(
                        i -> "{_id: %d, host: '%s'}".formatted(i, members.get(i).host()))
                .collect(Collectors.joining(
                        ", ",
                        "{_id: 'rs0', writeConcernMajorityJournalDefault: false, members: [",
                        "], settings: {electionTimeoutMillis: 120000, heartbeatIntervalMillis: 200,"
                                + " catchUpTimeoutMillis: 1000}}"));
    }

    /** Returns the address of all members. */
    public String address() {
        return members.stream()
                .map(Mongod::host)
                .collect(Collectors.joining(",", "mongodb://", "/test?replicaSet=rs0"));
    }

    /** Returns the address of a member for clients that connect to no other. */
    public static String addressOf(Mongod member) {
        return member.address("directConnection=true");
    }

    /** Returns the first primary, also after another one is elected. */
    public Mongod primary() {
        return members.get(0);
    }

    /** Returns the next primary. */
    public Mongod successor() {
        return members.get(1);
    }

    private List<Mongod> secondaries() {
        return members.subList(1, members.size());
    }

    /**
     * Elects the successor without notifying the primary, as if that one were cut off. From then on
     * the old primary answers reads by its own states, and its writes reach no other member.
     */
    public void replaceUnseen() {
        primary().command("{configureFailPoint: 'blockHeartbeatStepdown', mode: 'alwaysOn'}");
        elect(successor());
    }

    /**
     * Keeps the secondaries from copying writes of the primary, which remains primary by their
     * votes.
     */
    public void stopReplication() {
        // the third first, which would otherwise wait for an entry that the second does not have
        stopCopying(members.get(2));
        stopCopying(successor());
    }

    /** A member that waits for the next entry copies that one before it stops. */
    private void stopCopying(Mongod member) {
        int stops = member.command("{configureFailPoint: 'stopReplProducer', mode: 'alwaysOn'}")
                .getInt32("count")
                .getValue();
        note(primary(), 1);
        member.command("{waitForFailPoint: 'stopReplProducer', timesEntered: {$numberLong: '" + (stops + 1)
                + "'}, maxTimeMS: 30000}");
    }

    /** Lets the secondaries copy again, and waits until a majority does. */
    public void resumeReplication() {
        resumeCopying();
        note(primary(), 2);
    }

    private void resumeCopying() {
        secondaries().forEach(member -> member.command("{configureFailPoint: 'stopReplProducer', mode: 'off'}"));
    }

    /**
     * Kills the primary and waits until its successor has a majority; writes of the one alone are
     * lost.
     */
    public void failOver() {
        primary().kill();
        resumeCopying();
        elect(successor());
        note(successor(), 2);
    }

    /** Writes an entry through a primary, and waits until this number of members has it. */
    private static void note(Mongod primary, int copies) {
        primary.command("{appendOplogNote: 1, data: {by: 'test'}, writeConcern: {w: " + copies + "}}");
    }

    /** Makes a member copy from one other member for as long as it lives. */
    private void follow(Mongod member, Mongod source) {
        forceSource(member, source);
        Waiting.until("a member copies from another one", () -> follows(member, source));
    }

    /** Makes a member choose one source whenever it chooses one. */
    private static void forceSource(Mongod member, Mongod source) {
        member.command("{configureFailPoint: 'forceSyncSourceCandidate', mode: 'alwaysOn', data: {hostAndPort: '"
                + source.host() + "'}}");
    }

    /**
     * Returns whether a member copies from another one. If not it is requested, which takes effect
     * with the next entry.
     */
    private boolean follows(Mongod member, Mongod source) {
        BsonDocument status = member.command("{replSetGetStatus: 1}");
        if (status.getString("syncSourceHost", new BsonString("")).getValue().equals(source.host())) {
            return true;
        }
        member.command("{replSetSyncFrom: '" + source.host() + "'}");
        note(primary(), 1);
        Waiting.pause(Duration.ofMillis(200));
        return false;
    }

    /** A member is elected once the others know the replica set and have no write that it lacks. */
    private static void elect(Mongod member) {
        Waiting.until("a member is elected", () -> isElected(member));
        Waiting.until("a member takes writes", () -> says(member, "isWritablePrimary"));
    }

    private static boolean isElected(Mongod member) {
        try {
            member.command("{replSetStepUp: 1}");
            return true;
        } catch (MongoCommandException notYet) {
            return false;
        }
    }

    private static boolean says(Mongod member, String field) {
        BsonDocument hello = member.command("{hello: 1}");
        return hello.containsKey(field) && hello.getBoolean(field).getValue();
    }

    @Override
    public void close() {
        members.forEach(Mongod::close);
    }
}
