package io.orestes.store.mongo;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.bulk.BulkWriteResult;
import io.orestes.model.ObjectRef;
import io.orestes.model.Outcome;
import io.orestes.model.StoredObject;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The commands of writers who have nothing to do with one another. What comes at the same moment is one request, in which each
 * has the outcome that it would have alone; what a request does not tell apart is done once more, alone. Used on the store's
 * context only.
 */
final class GatheredCommands {

    private static final int MOST = 500;

    /** With two or four the server is never idle; with more, fewer changes share a request, which costs more than each of them. */
    private static final int MOST_UNDER_WAY = 4;

    /** So many need not wait: the first four may be of one change each, and answered together when the server has synced its disk. */
    private static final int ENOUGH = 8;

    private static final Duration LONGEST = Duration.ofMillis(20);

    private final Commands commands;
    private final LookUps newest;
    private final Gathering<ObjectRef, Long> ends;
    private final Gathering<Change, Outcome> changes;

    GatheredCommands(Context home, Commands commands, LookUps newest) {
        this.commands = commands;
        this.newest = newest;
        this.ends = new Gathering<>(home, MOST, this::readEnds);
        this.changes = new Gathering<>(home, MOST, MOST_UNDER_WAY, ENOUGH, LONGEST, this::makeAll);
    }

    /** The newest state. */
    Future<Optional<StoredObject>> current(ObjectRef ref) {
        return newest.find(ref);
    }

    /** When the last life of an object ended, milliseconds since 1970; 0 if that is unknown or long ago. */
    Future<Long> endOfLastLife(ObjectRef ref) {
        return ends.ask(ref);
    }

    /** Makes a change as {@link Commands#make} does. */
    Future<Outcome> make(Change change) {
        return changes.ask(change);
    }

    private void readEnds(List<Gathering.Asked<ObjectRef, Long>> asked) {
        Gathering.answer(
                asked,
                commands.endsOfLastLives(Gathering.subjects(asked)),
                (found, ref) -> found.getOrDefault(ref, 0L));
    }

    private Future<?> makeAll(List<Gathering.Asked<Change, Outcome>> asked) {
        return Future.join(
                Gathering.grouped(asked, change -> List.of(change.ref().bucket(), change.getClass())).values().stream()
                        .map(group -> group.size() == 1 ? makeAlone(group.get(0)) : new Together(group).make())
                        .toList());
    }

    private Future<?> makeAlone(Gathering.Asked<Change, Outcome> asked) {
        return commands.make(asked.what()).onComplete(asked.answer());
    }

    private void makeEachAlone(List<Gathering.Asked<Change, Outcome>> some) {
        for (Gathering.Asked<Change, Outcome> asked : some) {
            var unused = makeAlone(asked);
        }
    }

    /** Changes of one kind in one bucket, in one request. */
    private final class Together {

        private final List<Gathering.Asked<Change, Outcome>> group;

        private Together(List<Gathering.Asked<Change, Outcome>> group) {
            this.group = group;
        }

        private Future<?> make() {
            String bucket = group.get(0).what().ref().bucket();
            return commands.makeTogether(bucket, Gathering.subjects(group))
                    .onSuccess(result -> settle(group, result))
                    .onFailure(this::settle);
        }

        private void settle(Throwable failure) {
            if (failure instanceof MongoBulkWriteException bulk && bulk.getWriteConcernError() == null) {
                settle(bulk);
            } else if (Refusals.isOfContent(failure)) {
                // of one of them; others may have been made
                lookAfter(group);
            } else {
                group.forEach(asked -> asked.answer().fail(failure));
            }
        }

        /** Those that the server refused are certain not to be made, but it does not say by which key. */
        private void settle(MongoBulkWriteException refusals) {
            Set<Integer> refused = new HashSet<>();
            refusals.getWriteErrors().forEach(error -> refused.add(error.getIndex()));
            List<Gathering.Asked<Change, Outcome>> others = new ArrayList<>();
            for (int i = 0; i < group.size(); i++) {
                if (!refused.contains(i)) {
                    others.add(group.get(i));
                }
            }
            makeEachAlone(refused.stream().map(group::get).toList());
            settle(others, refusals.getWriteResult());
        }

        private void settle(List<Gathering.Asked<Change, Outcome>> unrefused, BulkWriteResult result) {
            if (Commands.made(result) == unrefused.size()) {
                unrefused.forEach(asked -> asked.answer().complete(asked.what().outcome()));
            } else {
                lookAfter(unrefused);
            }
        }

        /** Some were not made, because another process was faster or for what is in them: what is there now tells which. */
        private void lookAfter(List<Gathering.Asked<Change, Outcome>> doubtful) {
            List<ObjectRef> refs =
                    doubtful.stream().map(asked -> asked.what().ref()).toList();
            Future.all(commands.current(refs.get(0).bucket(), refs), commands.endsOfLastLives(refs))
                    .onFailure(failure -> doubtful.forEach(asked ->
                            asked.answer().fail(Refusals.unavailable("It is unknown whether this was written"))))
                    .onSuccess(found -> doubtful.forEach(asked -> judge(asked, found.resultAt(0), found.resultAt(1))));
        }

        private void judge(
                Gathering.Asked<Change, Outcome> asked,
                Map<ObjectRef, StoredObject> states,
                Map<ObjectRef, Long> ends) {
            ObjectRef ref = asked.what().ref();
            Change.Trace trace = asked.what().traceIn(Optional.ofNullable(states.get(ref)), ends.getOrDefault(ref, 0L));
            switch (trace) {
                case MADE -> asked.answer().complete(asked.what().outcome());
                case NOT_MADE -> makeEachAlone(List.of(asked));
                case UNKNOWN ->
                    asked.answer()
                            .fail(Refusals.unavailable(
                                    "Others write the object so fast that it is unknown whether this was written"));
            }
        }
    }
}
