package io.orestes.group;

import io.orestes.group.RacingGroup.Sending;
import io.orestes.group.RacingGroup.WriteBatch;
import io.orestes.support.Scope;
import io.orestes.support.http.Client;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Deletions of objects that another server has changed, or deletes at one moment: each is answered
 * by the current state.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
abstract class RacingDeletionsContract {

    static final int ROUNDS = Scope.rounds(100);
    static final int OBJECTS = 10;

    private static final String OLD = "{\"text\":\"old\"}";

    /** Access control list of objects that only admins may write. */
    static final String CLOSED = "\"acl\":{\"read\":{},\"write\":{\"/db/Role/1\":\"allow\"}}";

    final RacingGroup group;

    RacingDeletionsContract(RacingGroup group) {
        this.group = group;
    }

    @AfterAll
    void close() {
        group.close();
    }

    /** The condition of a deletion whose client read the object in its first state. */
    enum Condition {
        NONE,
        VERSION,
        TAG,
        ANY;

        /** Returns the status for the stored state. */
        int status(boolean isThere, boolean isVersion1) {
            boolean isMet =
                    switch (this) {
                        case NONE -> true;
                        case VERSION -> isVersion1;
                        case TAG -> false;
                        case ANY -> isThere;
                    };
            return isMet ? 204 : 412;
        }
    }

    /**
     * The change of an object by another server before an anonymous caller, whose server did not
     * make it, deletes it.
     */
    enum Change {
        UPDATE,
        CLOSING,
        DELETION,
        NEW_LIFE,
        CLOSED_NEW_LIFE;

        private List<ObjectWrite> writes(String id) {
            return switch (this) {
                case UPDATE -> List.of(ObjectWrite.update(id, "{\"$set\":{\"text\":\"new\"}}"));
                case CLOSING -> List.of(ObjectWrite.update(id, "{\"$set\":{" + CLOSED + "}}"));
                case DELETION -> List.of(ObjectWrite.deletion(id));
                case NEW_LIFE -> List.of(ObjectWrite.deletion(id), ObjectWrite.insertion(id, OLD));
                case CLOSED_NEW_LIFE ->
                    List.of(ObjectWrite.deletion(id), ObjectWrite.insertion(id, "{\"text\":\"old\"," + CLOSED + "}"));
            };
        }

        private int status(Condition condition) {
            return this == CLOSING || this == CLOSED_NEW_LIFE
                    ? 466
                    : condition.status(this != DELETION, this == NEW_LIFE);
        }
    }

    /** A deletion with its reply, and the correct result. */
    record Deletion(String id, Reply reply, int rightStatus, boolean remains) {

        private boolean isRight(Set<String> remaining) {
            return reply.status() == rightStatus && remaining.contains(id) == remains;
        }

        private String description(Set<String> remaining) {
            return "%s is answered %s and is %s, right is %d and %s"
                    .formatted(id, reply, place(remaining.contains(id)), rightStatus, place(remains));
        }

        private static String place(boolean isThere) {
            return isThere ? "there" : "not there";
        }
    }

    /**
     * Changes and the conditions that alternate after them. A change that ends no life shows in the
     * version, so one run has all conditions.
     */
    static Stream<Arguments> changesAndConditions() {
        List<Condition> all = List.of(Condition.values());
        return Stream.of(Change.values()).flatMap(change -> (change == Change.UPDATE || change == Change.CLOSING
                        ? Stream.of(all)
                        : all.stream().map(List::of))
                .map(conditions -> Arguments.of(change, conditions)));
    }

    static Stream<Arguments> conditionsAndSendings() {
        return Stream.of(Condition.VERSION, Condition.TAG, Condition.ANY)
                .flatMap(condition -> Stream.of(Sending.values()).map(sending -> Arguments.of(condition, sending)));
    }

    @ParameterizedTest
    @EnumSource(Sending.class)
    void deletions_ofWhatAnotherServerDeletedAndInserted_areDone(Sending sending) {
        String bucket = group.newClass();
        List<Deletion> deletions = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            List<String> ids = RacingGroup.ids(bucket, round, OBJECTS);
            Client client = group.anonymous(round % 2);
            insert(client, ids);
            change(group.anonymous(1 - round % 2), ids, Change.NEW_LIFE);

            List<Reply> replies = group.send(sending, client, deletions(ids, without(ids)));

            collect(deletions, ids, replies, 204, false);
        }
        requireRight(bucket, deletions);
    }

    /** Each request also deletes some unchanged objects. */
    @ParameterizedTest
    @MethodSource("changesAndConditions")
    void deletions_ofWhatAnotherServerChanged_meetItsNewestState(Change change, List<Condition> conditions) {
        String bucket = group.newClass();
        List<Deletion> deletions = new ArrayList<>();
        for (int round = 0; round < ROUNDS / 2; round++) {
            Condition condition = conditions.get(round / 2 % conditions.size());
            List<String> ids = RacingGroup.ids(bucket, round, 3 * OBJECTS);
            List<String> changed = ids.subList(0, 2 * OBJECTS);
            Client client = group.anonymous(round % 2);
            insert(client, ids);
            List<ObjectWrite> writes = deletions(ids, conditions(condition, round % 2, ids));
            change(group.root(1 - round % 2), changed, change);

            List<Reply> replies = group.send(Sending.BULK, client, writes);

            int status = change.status(condition);
            collect(deletions, changed, replies, status, status != 204 && change != Change.DELETION);
            collect(
                    deletions,
                    ids.subList(changed.size(), ids.size()),
                    replies.subList(changed.size(), ids.size()),
                    204,
                    false);
        }
        requireRight(bucket, deletions);
    }

    @ParameterizedTest
    @MethodSource("conditionsAndSendings")
    void deletions_ofOneStateByBothServers_oneIsDoneAndTheOtherRefused(Condition condition, Sending sending) {
        String bucket = group.newClass();
        Map<String, List<Reply>> repliesOf = new LinkedHashMap<>();
        for (int round = 0; round < ROUNDS; round++) {
            List<String> ids = RacingGroup.ids(bucket, round, OBJECTS);
            insert(group.anonymous(round % 2), ids);
            List<ObjectWrite> writes = deletions(ids, conditions(condition, round % 2, ids));

            List<List<Reply>> replies = group.race(
                    sending,
                    List.of(new WriteBatch(group.anonymous(0), writes), new WriteBatch(group.anonymous(1), writes)));

            for (int i = 0; i < OBJECTS; i++) {
                repliesOf.put(
                        ids.get(i),
                        List.of(replies.get(0).get(i), replies.get(1).get(i)));
            }
        }
        Set<String> remaining = group.remaining(bucket);
        Verdicts verdicts = new Verdicts();
        repliesOf.forEach((id, both) -> verdicts.judge(
                Reply.statuses(both).equals(List.of(204, 412)) && !remaining.contains(id), () -> id + " " + both));
        verdicts.requireAllRight();
    }

    void insert(Client client, List<String> ids) {
        group.write(
                client, ids.stream().map(id -> ObjectWrite.insertion(id, OLD)).toList());
    }

    private void change(Client client, List<String> ids, Change change) {
        group.write(
                client, ids.stream().flatMap(id -> change.writes(id).stream()).toList());
    }

    static List<ObjectWrite> deletions(List<String> ids, List<Optional<String>> conditions) {
        return IntStream.range(0, ids.size())
                .mapToObj(i -> ObjectWrite.deletion(ids.get(i)).on(conditions.get(i)))
                .toList();
    }

    private static List<Optional<String>> without(List<String> ids) {
        return Collections.nCopies(ids.size(), Optional.empty());
    }

    /** Returns the {@code If-Match} conditions of deletions, by the current states. */
    List<Optional<String>> conditions(Condition condition, int server, List<String> ids) {
        return switch (condition) {
            case NONE -> without(ids);
            case VERSION -> Collections.nCopies(ids.size(), ObjectWrite.version(1));
            case TAG -> group.tags(server, ids);
            case ANY -> Collections.nCopies(ids.size(), Optional.of("*"));
        };
    }

    static void collect(
            List<Deletion> deletions, List<String> ids, List<Reply> replies, int rightStatus, boolean remains) {
        for (int i = 0; i < ids.size(); i++) {
            deletions.add(new Deletion(ids.get(i), replies.get(i), rightStatus, remains));
        }
    }

    void requireRight(String bucket, List<Deletion> deletions) {
        Set<String> remaining = group.remaining(bucket);
        Verdicts verdicts = new Verdicts();
        deletions.forEach(
                deletion -> verdicts.judge(deletion.isRight(remaining), () -> deletion.description(remaining)));
        verdicts.requireAllRight();
    }
}
