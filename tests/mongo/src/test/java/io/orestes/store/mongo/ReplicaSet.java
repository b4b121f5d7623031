package io.orestes.store.mongo;

import static io.orestes.store.Await.awaitThat;

import com.mongodb.MongoCommandException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;

/** Three mongods, the first of which is the primary until it fails over. Closing it ends all. */
final class ReplicaSet implements AutoCloseable {

    /**
     * With which a secondary fetches nothing, as MongoDB's own tests have it. It goes on voting, so
     * the primary remains one.
     */
    private static final String FETCHES_NOTHING = "stopReplProducer";

    /** What a secondary logs when that has come into force. */
    private static final String HAS_STOPPED = "bgsync - stopReplProducer fail point enabled. Blocking";

    private final List<Mongod> members;

    private ReplicaSet(List<Mongod> members) {
        this.members = members;
    }

    /** Starts three and waits until a majority takes writes. */
    static ReplicaSet start() {
        ReplicaSet set = new ReplicaSet(Stream.generate(() -> Mongod.start(Mongod.Shape.MEMBER))
                .limit(3)
                .toList());
        set.primary().command("{replSetInitiate: " + set.configuration() + "}");
        awaitThat(() -> stepsUp(set.primary()));
        awaitMajority(set.primary());
        return set;
    }

    /** Nobody is elected unless a test asks for it, however busy the machine is. */
    private String configuration() {
        return IntStream.range(0, members.size())
                .mapToObj(
                        i -> "{_id: %d, host: '%s'}".formatted(i, members.get(i).host()))
                .collect(Collectors.joining(
                        ", ",
                        "{_id: 'rs0', writeConcernMajorityJournalDefault: false, members: [",
                        "], settings: {electionTimeoutMillis: 120000}}"));
    }

    /** Where clients find it. */
    String address() {
        return members.stream()
                .map(Mongod::host)
                .collect(Collectors.joining(",", "mongodb://", "/test?replicaSet=rs0"));
    }

    Mongod primary() {
        return members.get(0);
    }

    private List<Mongod> secondaries() {
        return members.subList(1, members.size());
    }

    /** Lets no write of the primary reach another member from now on. */
    void cutOff() {
        secondaries().forEach(member -> setFetchesNothing(member, "alwaysOn"));
        // a secondary that waits for the next write of the primary does not notice before that
        write(primary(), "1");
        secondaries().forEach(member -> awaitThat(() -> member.log().contains(HAS_STOPPED)));
    }

    /** Ends the primary, whose last writes are lost, and waits until another one has a majority. */
    void failOver() {
        primary().kill();
        secondaries().forEach(member -> setFetchesNothing(member, "off"));
        // one of them may have been cut off a write later than the other, which is not elected then
        awaitThat(() -> secondaries().stream().anyMatch(ReplicaSet::stepsUp));
        awaitThat(() -> secondaries().stream().anyMatch(Mongod::isWritable));
        secondaries().stream().filter(Mongod::isWritable).forEach(ReplicaSet::awaitMajority);
    }

    private static void setFetchesNothing(Mongod member, String mode) {
        member.command("{configureFailPoint: '%s', mode: '%s'}".formatted(FETCHES_NOTHING, mode));
    }

    private static boolean stepsUp(Mongod member) {
        try {
            member.command("{replSetStepUp: 1}");
            return true;
        } catch (MongoCommandException notElected) {
            return false;
        }
    }

    private static void awaitMajority(Mongod primary) {
        primary.awaitPrimary();
        write(primary, "'majority'");
    }

    private static void write(Mongod primary, String concern) {
        primary.database()
                .runCommand(BsonDocument.parse(
                        "{insert: 'Noise', documents: [{}], writeConcern: {w: %s}}".formatted(concern)));
    }

    /** At once: a member that is asked to end waits for the others first. */
    @Override
    public void close() {
        members.forEach(Mongod::kill);
        members.forEach(Mongod::close);
    }
}
