package io.orestes.store.mongo;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.bulk.BulkWriteError;
import io.orestes.model.Outcome;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A batcher of insertions. Those that arrive together share one transaction, which makes all of them
 * or none: if some are refused, those and the others are made by transactions apart. The transaction sees whether
 * a life of an object has ended since the insertion was planned. Replacements, updates and
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
    private final Transactions transactions;
    private final Gathering<Sized, Outcome> batches;

    /** Whether the collections of buckets are created, or are being created. */
    private final Map<String, Future<?>> created = new HashMap<>();

    BulkInserter(Context home, Commands commands, Transactions transactions) {
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
                .compose(ready ->
                        Future.join(parts(asked).stream().map(this::insertPart).toList()));
    }

    private Future<?> ready(String bucket) {
        return created.computeIfAbsent(bucket, commands::create).onFailure(failure -> created.remove(bucket));
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

    private Future<?> insertPart(List<Gathering.Asked<Sized, Outcome>> part) {
        return part.size() == 1 ? insertAlone(part.get(0)) : insertTogether(part);
    }

    private Future<?> insertAlone(Gathering.Asked<Sized, Outcome> asked) {
        return transactions.make(asked.what().creation(), commands).onComplete(asked.answer());
    }

    private Future<?> insertTogether(List<Gathering.Asked<Sized, Outcome>> part) {
        List<Change.Creation> creations =
                part.stream().map(asked -> asked.what().creation()).toList();
        String bucket = creations.get(0).ref().bucket();
        return transactions
                .run(session -> commands.in(session).insertAll(bucket, creations))
                .onSuccess(done -> complete(part))
                .<Object>mapEmpty()
                .recover(failure -> divide(part, failure).mapEmpty());
    }

    /**
     * Makes insertions of which some are refused: those that MongoDB names alone, the others in two
     * halves. So a few that are refused cost the others a few transactions more.
     */
    private Future<?> divide(List<Gathering.Asked<Sized, Outcome>> part, Throwable failure) {
        if (!isRefused(failure)) {
            part.forEach(asked -> asked.answer().fail(failure));
            return Future.succeededFuture();
        }
        Set<Integer> named = failure instanceof MongoBulkWriteException errors ? refused(errors) : Set.of();
        List<Gathering.Asked<Sized, Outcome>> others = others(part, named);
        List<List<Gathering.Asked<Sized, Outcome>>> parts = new ArrayList<>();
        named.forEach(place -> parts.add(List.of(part.get(place))));
        parts.add(others.subList(0, others.size() / 2));
        parts.add(others.subList(others.size() / 2, others.size()));
        return Future.join(parts.stream()
                .filter(some -> !some.isEmpty())
                .map(this::insertPart)
                .toList());
    }

    /** Whether the transaction has made nothing because of some of its insertions. */
    private static boolean isRefused(Throwable failure) {
        if (failure instanceof Overtaken overtaken) {
            return !overtaken.isOfNoAnswer();
        }
        return !Refusals.isOfNoAnswer(failure)
                && (failure instanceof MongoBulkWriteException || Refusals.isOfContent(failure));
    }

    private static Set<Integer> refused(MongoBulkWriteException errors) {
        return errors.getWriteErrors().stream().map(BulkWriteError::getIndex).collect(Collectors.toSet());
    }

    private static List<Gathering.Asked<Sized, Outcome>> others(
            List<Gathering.Asked<Sized, Outcome>> part, Set<Integer> refused) {
        return IntStream.range(0, part.size())
                .filter(place -> !refused.contains(place))
                .mapToObj(part::get)
                .toList();
    }

    private static void complete(List<Gathering.Asked<Sized, Outcome>> made) {
        made.forEach(asked -> asked.answer().complete(asked.what().creation().outcome()));
    }
}
