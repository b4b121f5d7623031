package io.orestes.store.mongo;

import com.mongodb.MongoBulkWriteException;
import io.orestes.model.Outcome;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A batcher of insertions. Those that arrive together share one transaction, which makes all of them
 * or none: if one is refused, each is made by a transaction of its own. The transaction sees whether
 * a life of an object has ended since the insertion was planned. A server without transactions takes
 * an unordered command instead, whose errors it reports for each insertion. Replacements, updates and
 * deletions never share a command, since MongoDB reports only how many of those it made. Used on the
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
    private final Optional<Transactions> transactions;
    private final Gathering<Sized, Outcome> batches;

    /** Whether the collections of buckets are created, or are being created. */
    private final Map<String, Future<?>> created = new HashMap<>();

    /** @param transactions empty if the server has none */
    BulkInserter(Context home, Commands commands, Optional<Transactions> transactions) {
        this.commands = commands;
        this.transactions = transactions;
        this.batches = new Gathering<>(home, MAX_BATCH_SIZE, MAX_IN_FLIGHT, FULL_ENOUGH, MAX_DELAY, this::insertAll);
    }

    /** An insertion and the bytes of its document. */
    private record Sized(Change.Creation creation, int bytes) {}

    /** Makes an insertion; fails as {@link Commands#make} does, and throws if its document cannot be encoded. */
    Future<Outcome> insert(Change.Creation creation) {
        return batches.ask(new Sized(creation, creation.size()));
    }

    private Future<?> insertAll(List<Gathering.Asked<Sized, Outcome>> asked) {
        return Future.join(Gathering.grouped(asked, one -> one.creation().ref().bucket()).entrySet().stream()
                .map(bucket -> insertAll(bucket.getKey(), bucket.getValue()))
                .toList());
    }

    private Future<?> insertAll(String bucket, List<Gathering.Asked<Sized, Outcome>> asked) {
        return ready(bucket)
                .onFailure(failure -> asked.forEach(one -> one.answer().fail(failure)))
                .compose(ready -> Future.join(parts(asked).stream()
                        .map(part -> part.size() == 1 ? insertAlone(part.get(0)) : insertTogether(part))
                        .toList()));
    }

    private Future<?> ready(String bucket) {
        return transactions.isEmpty()
                ? Future.succeededFuture()
                : created.computeIfAbsent(bucket, commands::create).onFailure(failure -> created.remove(bucket));
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
        Change.Creation creation = asked.what().creation();
        return transactions
                .map(several -> several.run(session -> commands.in(session).make(creation), unknown -> {}))
                .orElseGet(() -> commands.make(creation))
                .onComplete(asked.answer());
    }

    private void insertEachAlone(List<Gathering.Asked<Sized, Outcome>> some) {
        some.forEach(asked -> {
            Future<?> unused = insertAlone(asked);
        });
    }

    private Future<?> insertTogether(List<Gathering.Asked<Sized, Outcome>> part) {
        List<Change.Creation> creations =
                part.stream().map(asked -> asked.what().creation()).toList();
        String bucket = creations.get(0).ref().bucket();
        return transactions
                .<Future<?>>map(several -> several.run(
                                session -> commands.in(session).insertAll(bucket, creations), unknown -> {})
                        .onFailure(failure -> settleTransaction(part, failure)))
                .orElseGet(() -> commands.insertTogether(bucket, creations).onFailure(failure -> settle(part, failure)))
                .onSuccess(done -> complete(part));
    }

    private void settleTransaction(List<Gathering.Asked<Sized, Outcome>> part, Throwable failure) {
        if (isRefused(failure)) {
            insertEachAlone(part);
        } else {
            part.forEach(asked -> asked.answer().fail(failure));
        }
    }

    /** Whether the transaction has made nothing because of some of its insertions. */
    private static boolean isRefused(Throwable failure) {
        return failure instanceof Overtaken
                || failure instanceof MongoBulkWriteException
                || Refusals.isOfContent(failure);
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
