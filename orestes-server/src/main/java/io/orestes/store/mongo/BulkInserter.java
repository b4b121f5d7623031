package io.orestes.store.mongo;

import com.mongodb.MongoBulkWriteException;
import io.orestes.model.Outcome;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A batcher of insertions: those that arrive together share one unordered command, whose errors MongoDB reports for each of them.
 * Replacements, updates and deletions never share a command, since MongoDB reports only how many of those it made. Used on the
 * store's context only.
 */
final class BulkInserter {

    private static final int MAX_BATCH_SIZE = 500;

    /** Less than what the driver puts into one command, so that a command refused as a whole has inserted nothing. */
    private static final int MAX_BATCH_BYTES = 16 << 20;

    /** With two or four commands in flight MongoDB is never idle; with more, fewer insertions share a command. */
    private static final int MAX_IN_FLIGHT = 4;

    /** A batch of this size is sent without a wait for the commands in flight. */
    private static final int FULL_ENOUGH = 8;

    private static final Duration MAX_DELAY = Duration.ofMillis(20);

    private final Commands commands;
    private final Gathering<Sized, Outcome> batches;

    BulkInserter(Context home, Commands commands) {
        this.commands = commands;
        this.batches = new Gathering<>(home, MAX_BATCH_SIZE, MAX_IN_FLIGHT, FULL_ENOUGH, MAX_DELAY, this::insertAll);
    }

    /** An insertion and the bytes of its document. */
    private record Sized(Change.Creation creation, int bytes) {}

    /** Makes an insertion; fails as {@link Commands#make} does, and throws if its document cannot be encoded. */
    Future<Outcome> insert(Change.Creation creation) {
        return batches.ask(new Sized(creation, creation.size()));
    }

    private Future<?> insertAll(List<Gathering.Asked<Sized, Outcome>> asked) {
        return Future.join(Gathering.grouped(asked, one -> one.creation().ref().bucket()).values().stream()
                .flatMap(bucket -> parts(bucket).stream())
                .map(part -> part.size() == 1 ? insertAlone(part.get(0)) : insertTogether(part))
                .toList());
    }

    private static List<List<Gathering.Asked<Sized, Outcome>>> parts(List<Gathering.Asked<Sized, Outcome>> bucket) {
        List<List<Gathering.Asked<Sized, Outcome>>> parts = new ArrayList<>();
        long bytes = MAX_BATCH_BYTES;
        for (Gathering.Asked<Sized, Outcome> asked : bucket) {
            int size = asked.what().bytes();
            if (bytes + size > MAX_BATCH_BYTES) {
                parts.add(new ArrayList<>());
                bytes = 0;
            }
            parts.get(parts.size() - 1).add(asked);
            bytes += size;
        }
        return parts;
    }

    private Future<?> insertAlone(Gathering.Asked<Sized, Outcome> asked) {
        return commands.make(asked.what().creation()).onComplete(asked.answer());
    }

    private void insertEachAlone(List<Gathering.Asked<Sized, Outcome>> some) {
        some.forEach(asked -> {
            Future<?> unused = insertAlone(asked);
        });
    }

    private Future<?> insertTogether(List<Gathering.Asked<Sized, Outcome>> part) {
        List<Change.Creation> creations =
                part.stream().map(asked -> asked.what().creation()).toList();
        return commands.insertTogether(creations.get(0).ref().bucket(), creations)
                .onSuccess(done -> complete(part))
                .onFailure(failure -> settle(part, failure));
    }

    private static void complete(List<Gathering.Asked<Sized, Outcome>> made) {
        made.forEach(asked -> asked.answer().complete(asked.what().creation().outcome()));
    }

    private void settle(List<Gathering.Asked<Sized, Outcome>> part, Throwable failure) {
        if (failure instanceof MongoBulkWriteException bulk) {
            settle(part, bulk);
        } else if (Refusals.isOfContent(failure)) {
            // one command, and it was refused as a whole
            insertEachAlone(part);
        } else {
            part.forEach(asked -> asked.answer().fail(failure));
        }
    }

    /**
     * The refused ones are repeated alone, since a shared command does not report by which key they were refused. The others are made,
     * or in doubt if MongoDB could not confirm them.
     */
    private void settle(List<Gathering.Asked<Sized, Outcome>> part, MongoBulkWriteException errors) {
        Set<Integer> refused = new HashSet<>();
        errors.getWriteErrors().forEach(error -> refused.add(error.getIndex()));
        List<Gathering.Asked<Sized, Outcome>> others = new ArrayList<>();
        for (int i = 0; i < part.size(); i++) {
            if (!refused.contains(i)) {
                others.add(part.get(i));
            }
        }
        insertEachAlone(refused.stream().map(part::get).toList());
        if (errors.getWriteConcernError() == null) {
            complete(others);
        } else {
            others.forEach(
                    asked -> asked.answer().fail(Refusals.unavailable("MongoDB does not confirm what was inserted")));
        }
    }
}
