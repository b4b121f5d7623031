package io.orestes.group;

import io.orestes.group.RacingGroup.Sending;
import io.orestes.group.RacingGroup.WriteBatch;
import io.orestes.support.Scope;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Updates and replacements of one object by two servers at one moment: each that is done has a
 * version of its own, and of those that expect one version exactly one is done.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
abstract class RacingUpdatesContract {

    private static final int ROUNDS = Scope.rounds(50);
    private static final int OBJECTS = 20;

    private final RacingGroup group;

    RacingUpdatesContract(RacingGroup group) {
        this.group = group;
    }

    @AfterAll
    void close() {
        group.close();
    }

    /** A write of an object that is equal on both servers, by its number. */
    enum Kind {
        UPDATE,
        REPLACEMENT;

        private ObjectWrite of(String id, int number) {
            return this == UPDATE
                    ? ObjectWrite.update(id, "{\"$inc\":{\"n\":1}}")
                    : ObjectWrite.replacement(id, "{\"n\":" + number + "}");
        }
    }

    /** The owner field of a lock. */
    enum LockOwner {
        NOTHING,
        SERVER;

        private String of(int server) {
            return this == NOTHING ? "held" : "held by " + server;
        }
    }

    static Stream<Arguments> kindsAndSendings() {
        return Stream.of(Kind.values())
                .flatMap(kind -> Stream.of(Sending.values()).map(sending -> Arguments.of(kind, sending)));
    }

    static Stream<Arguments> marksAndSendings() {
        return Stream.of(LockOwner.values())
                .flatMap(mark -> Stream.of(Sending.values()).map(sending -> Arguments.of(mark, sending)));
    }

    @ParameterizedTest
    @EnumSource(Sending.class)
    void increments_byBothServers_allCount(Sending sending) {
        Counters counters = new Counters(group);

        for (int round = 0; round < ROUNDS; round++) {
            counters.increment(sending, 1);
        }

        counters.requireExact();
    }

    /** Most of them lose the race repeatedly. */
    @ParameterizedTest
    @EnumSource(Sending.class)
    void increments_bySeveralClientsOfBothServers_allCount(Sending sending) {
        Counters counters = new Counters(group);

        for (int round = 0; round < ROUNDS; round++) {
            counters.increment(sending, 2);
        }

        counters.requireExact();
    }

    /** Their condition alternates between a version and a tag. */
    @ParameterizedTest
    @MethodSource("kindsAndSendings")
    void writes_ofOneVersionByBothServers_oneIsDoneAndTheOtherRefused(Kind kind, Sending sending) {
        String bucket = group.newClass();
        List<String> ids = group.newObjects(bucket, OBJECTS);
        Verdicts verdicts = new Verdicts();
        Map<String, BsonDocument> before = group.stored(bucket);
        for (int round = 1; round <= ROUNDS; round++) {
            int number = round;
            List<Optional<String>> conditions = round % 2 == 0 ? versions(ids, before) : group.tags(round / 2 % 2, ids);

            List<List<Reply>> replies = byBoth(
                    sending,
                    IntStream.range(0, OBJECTS)
                            .mapToObj(i -> kind.of(ids.get(i), number).on(conditions.get(i)))
                            .toList());

            Map<String, BsonDocument> after = group.stored(bucket);
            for (int i = 0; i < OBJECTS; i++) {
                String id = ids.get(i);
                List<Reply> both = both(replies, i);
                long version = RacingGroup.version(before, id) + 1;
                verdicts.judge(
                        Reply.statuses(both).equals(List.of(200, 412))
                                && both.stream().filter(Reply::isDone).allMatch(done -> done.version() == version)
                                && RacingGroup.version(after, id) == version
                                && n(after, id) == number,
                        () -> "round %d of %s: %s".formatted(number, id, both));
            }
            before = after;
        }
        verdicts.requireAllRight();
    }

    @ParameterizedTest
    @EnumSource(Sending.class)
    void replacements_alikeByBothServersWithoutCondition_haveTwoVersions(Sending sending) {
        String bucket = group.newClass();
        List<String> ids = group.newObjects(bucket, OBJECTS);
        Verdicts verdicts = new Verdicts();
        Map<String, BsonDocument> before = group.stored(bucket);
        for (int round = 1; round <= ROUNDS; round++) {
            int number = round;

            List<List<Reply>> replies = byBoth(
                    sending,
                    ids.stream().map(id -> Kind.REPLACEMENT.of(id, number)).toList());

            Map<String, BsonDocument> after = group.stored(bucket);
            for (int i = 0; i < OBJECTS; i++) {
                String id = ids.get(i);
                List<Reply> both = both(replies, i);
                long version = RacingGroup.version(before, id);
                verdicts.judge(
                        both.stream().map(Reply::version).sorted().toList().equals(List.of(version + 1, version + 2))
                                && RacingGroup.version(after, id) == version + 2,
                        () -> "round %d of %s: %s".formatted(number, id, both));
            }
            before = after;
        }
        verdicts.requireAllRight();
    }

    /** The server that changes the lock from its free version owns it, until it is free again. */
    @ParameterizedTest
    @MethodSource("marksAndSendings")
    void lock_takenByBothServers_hasOneOwner(LockOwner mark, Sending sending) {
        String bucket = group.newClass();
        List<String> ids = group.newObjects(bucket, OBJECTS);
        Verdicts verdicts = new Verdicts();
        for (int round = 0; round < ROUNDS; round++) {
            List<Optional<String>> free = versions(ids, group.stored(round % 2, bucket));

            List<List<Reply>> replies = group.race(
                    sending,
                    IntStream.range(0, 2)
                            .mapToObj(server ->
                                    new WriteBatch(group.anonymous(server), marking(ids, mark.of(server), free)))
                            .toList());

            Map<String, BsonDocument> taken = group.stored(bucket);
            List<Reply> released =
                    group.send(sending, group.anonymous(round % 2), marking(ids, "free", versions(ids, taken)));
            for (int i = 0; i < OBJECTS; i++) {
                String id = ids.get(i);
                List<Reply> both = both(replies, i);
                String version = free.get(i).orElseThrow();
                String text = text(taken, id);
                boolean isReleased = released.get(i).isDone();
                verdicts.judge(
                        Reply.statuses(both).equals(List.of(200, 412))
                                && text.equals(mark.of(both.get(0).isDone() ? 0 : 1))
                                && isReleased,
                        () -> "%s of version %s is %s after %s".formatted(id, version, text, both));
            }
        }
        verdicts.requireAllRight();
    }

    private List<List<Reply>> byBoth(Sending sending, List<ObjectWrite> writes) {
        return group.race(
                sending,
                List.of(new WriteBatch(group.anonymous(0), writes), new WriteBatch(group.anonymous(1), writes)));
    }

    private static List<Reply> both(List<List<Reply>> replies, int number) {
        return replies.stream().map(each -> each.get(number)).toList();
    }

    private static List<ObjectWrite> marking(List<String> ids, String text, List<Optional<String>> conditions) {
        return IntStream.range(0, ids.size())
                .mapToObj(i -> ObjectWrite.update(ids.get(i), "{\"$set\":{\"text\":\"" + text + "\"}}")
                        .on(conditions.get(i)))
                .toList();
    }

    private static List<Optional<String>> versions(List<String> ids, Map<String, BsonDocument> stored) {
        return ids.stream()
                .map(id -> ObjectWrite.version(RacingGroup.version(stored, id)))
                .toList();
    }

    private static long n(Map<String, BsonDocument> stored, String id) {
        return Objects.requireNonNull(stored.get(id)).getNumber("n").longValue();
    }

    private static String text(Map<String, BsonDocument> stored, String id) {
        return Objects.requireNonNull(stored.get(id)).getString("text").getValue();
    }
}
