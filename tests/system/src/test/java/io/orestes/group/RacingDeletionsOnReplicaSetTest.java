package io.orestes.group;

import io.orestes.group.RacingGroup.Sending;
import io.orestes.support.process.Waiting;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Racing deletions through two servers on a replica set that another program writes as well. It is
 * unknown which server reads the change feed, so they swap with every round.
 */
final class RacingDeletionsOnReplicaSetTest extends RacingDeletionsContract {

    RacingDeletionsOnReplicaSetTest(@TempDir Path folder) throws Exception {
        super(RacingGroup.onReplicaSet(folder, 2));
    }

    /** The change of an object by another program, as an update of MongoDB. */
    enum ExternalChange {
        UPDATE("{$set: {text: 'foreign'}}"),
        CLOSING("{$set: {text: 'foreign', " + CLOSED + "}}"),
        NEW_LIFE("{text: 'foreign'}"),
        CLOSED_NEW_LIFE("{text: 'foreign', " + CLOSED + "}");

        private final String update;

        ExternalChange(String update) {
            this.update = update;
        }

        /**
         * Conditions whose result is known. A new life begins with version 1, and the server that
         * reads it may assign another one.
         */
        private List<Condition> conditions() {
            return this == NEW_LIFE
                    ? List.of(Condition.NONE, Condition.TAG, Condition.ANY)
                    : List.of(Condition.values());
        }

        private boolean isReadIn(BsonDocument object) {
            long least = this == UPDATE || this == CLOSING ? 2 : 1;
            return object.getString("text").getValue().equals("foreign")
                    && object.getNumber("version").longValue() >= least;
        }

        private int status(Condition condition) {
            return this == CLOSING || this == CLOSED_NEW_LIFE ? 466 : condition.status(true, false);
        }
    }

    /** Each server has inserted half of the objects, and deletes those. */
    @ParameterizedTest
    @EnumSource(ExternalChange.class)
    void deletions_ofWhatAnotherProgramChanged_meetItsNewestState(ExternalChange change) {
        String bucket = group.newClass();
        List<Deletion> deletions = new ArrayList<>();
        List<List<String>> rounds = IntStream.range(0, ROUNDS)
                .mapToObj(round -> RacingGroup.ids(bucket, round, OBJECTS))
                .toList();
        List<List<ObjectWrite>> writes = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            List<String> ids = rounds.get(round);
            insert(group.anonymous(round % 2), ids);
            writes.add(deletions(ids, conditions(condition(change, round), round % 2, ids)));
        }
        rounds.forEach(ids -> ids.forEach(id -> group.updateInStore(bucket, id, change.update)));
        Waiting.until("both servers have read it", () -> IntStream.range(0, 2)
                .allMatch(
                        server -> group.stored(server, bucket).values().stream().allMatch(change::isReadIn)));

        for (int round = 0; round < ROUNDS; round++) {
            List<Reply> replies = group.send(Sending.BULK, group.anonymous(round % 2), writes.get(round));

            int status = change.status(condition(change, round));
            collect(deletions, rounds.get(round), replies, status, status != 204);
        }
        requireRight(bucket, deletions);
    }

    private static Condition condition(ExternalChange change, int round) {
        List<Condition> all = change.conditions();
        return all.get(round / 2 % all.size());
    }
}
