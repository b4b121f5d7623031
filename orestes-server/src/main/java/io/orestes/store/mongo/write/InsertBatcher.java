package io.orestes.store.mongo.write;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.bulk.BulkWriteError;
import io.orestes.async.Batcher;
import io.orestes.model.WriteOutcome;
import io.orestes.store.mongo.driver.MongoErrors;
import io.orestes.store.mongo.driver.RetriableWriteException;
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
 * A batcher of insertions. Those that arrive together share one transaction, which inserts all of
 * them or none. If some are refused, all are repeated in separate transactions. The transaction
 * sees whether a life of an object has ended since the insertion was planned. Replacements, updates
 * and deletions never share a command, since MongoDB reports only how many of those it applied.
 * Used on the store's context only.
 */
public final class InsertBatcher {

    private static final int MAX_BATCH_SIZE = 500;

    /**
     * Maximum bytes of a batch: less than the driver puts into one command, so that a command
     * refused as a whole has inserted nothing.
     */
    private static final int MAX_BATCH_BYTES = 16 << 20;

    /**
     * Maximum number of commands in flight. With two or four MongoDB is never idle; with more,
     * fewer insertions share a command.
     */
    private static final int MAX_IN_FLIGHT = 4;

    /** Size of a batch from which on it is sent without a wait for the commands in flight. */
    private static final int MIN_IMMEDIATE_BATCH_SIZE = 8;

    private static final Duration MAX_DELAY = Duration.ofMillis(20);

    private final WriteCommands writeCommands;
    private final Batcher<SizedInsert, WriteOutcome> batcher;

    /** Creation of the collection of each bucket, completed or in progress. */
    private final Map<String, Future<?>> collections = new HashMap<>();

    public InsertBatcher(Context home, WriteCommands writeCommands) {
        this.writeCommands = writeCommands;
        this.batcher = new Batcher<>(
                home,
                new Batcher.BatchLimits(MAX_BATCH_SIZE, MAX_IN_FLIGHT, MIN_IMMEDIATE_BATCH_SIZE, MAX_DELAY),
                this::insertAll);
    }

    /** An insertion and the bytes of its document. */
    private record SizedInsert(ConditionalWrite.ConditionalInsert insert, int bytes) {}

    /**
     * Inserts an object; fails as {@link WriteCommands#execute} does, and throws if its document
     * cannot be encoded.
     */
    Future<WriteOutcome> insert(ConditionalWrite.ConditionalInsert insert) {
        return batcher.submit(new SizedInsert(insert, insert.sizeBytes()));
    }

    private Future<?> insertAll(List<Batcher.BatchedRequest<SizedInsert, WriteOutcome>> request) {
        return Future.join(Batcher.grouped(request, one -> one.insert().ref().bucket()).entrySet().stream()
                .map(bucket -> insertAll(bucket.getKey(), bucket.getValue()))
                .toList());
    }

    private Future<?> insertAll(String bucket, List<Batcher.BatchedRequest<SizedInsert, WriteOutcome>> request) {
        return ensureCollection(bucket)
                .onFailure(failure -> request.forEach(one -> one.response().fail(failure)))
                .compose(ready -> Future.join(
                        splitBySize(request).stream().map(this::insertPart).toList()));
    }

    private Future<?> ensureCollection(String bucket) {
        return collections
                .computeIfAbsent(bucket, writeCommands::createCollection)
                .onFailure(failure -> collections.remove(bucket));
    }

    private static List<List<Batcher.BatchedRequest<SizedInsert, WriteOutcome>>> splitBySize(
            List<Batcher.BatchedRequest<SizedInsert, WriteOutcome>> bucket) {
        List<List<Batcher.BatchedRequest<SizedInsert, WriteOutcome>>> parts = new ArrayList<>();
        long bytes = MAX_BATCH_BYTES;
        for (Batcher.BatchedRequest<SizedInsert, WriteOutcome> request : bucket) {
            int size = request.payload().bytes();
            if (bytes + size > MAX_BATCH_BYTES) {
                parts.add(new ArrayList<>());
                bytes = 0;
            }
            parts.get(parts.size() - 1).add(request);
            bytes += size;
        }
        return parts;
    }

    private Future<?> insertPart(List<Batcher.BatchedRequest<SizedInsert, WriteOutcome>> part) {
        return part.size() == 1 ? insertAlone(part.get(0)) : insertTogether(part);
    }

    private Future<?> insertAlone(Batcher.BatchedRequest<SizedInsert, WriteOutcome> request) {
        return writeCommands.executeInTransaction(request.payload().insert()).onComplete(request.response());
    }

    private Future<?> insertTogether(List<Batcher.BatchedRequest<SizedInsert, WriteOutcome>> part) {
        List<ConditionalWrite.ConditionalInsert> inserts =
                part.stream().map(request -> request.payload().insert()).toList();
        String bucket = inserts.get(0).ref().bucket();
        return writeCommands
                .inTransaction(commands -> commands.insertAll(bucket, inserts))
                .onSuccess(done -> complete(part))
                .<Object>mapEmpty()
                .recover(failure -> retryInParts(part, failure).mapEmpty());
    }

    /**
     * Repeats a batch of which some insertions are refused: those that MongoDB names alone, the
     * others in two halves. So a few that are refused cost the others a few transactions more.
     */
    private Future<?> retryInParts(List<Batcher.BatchedRequest<SizedInsert, WriteOutcome>> part, Throwable failure) {
        if (!isRefused(failure)) {
            part.forEach(request -> request.response().fail(failure));
            return Future.succeededFuture();
        }
        Set<Integer> refused = failure instanceof MongoBulkWriteException errors ? refusedIndexes(errors) : Set.of();
        List<Batcher.BatchedRequest<SizedInsert, WriteOutcome>> others = others(part, refused);
        List<List<Batcher.BatchedRequest<SizedInsert, WriteOutcome>>> parts = new ArrayList<>();
        refused.forEach(index -> parts.add(List.of(part.get(index))));
        parts.add(others.subList(0, others.size() / 2));
        parts.add(others.subList(others.size() / 2, others.size()));
        return Future.join(parts.stream()
                .filter(some -> !some.isEmpty())
                .map(this::insertPart)
                .toList());
    }

    /** True if the transaction had no effect because of some of its insertions. */
    private static boolean isRefused(Throwable failure) {
        if (failure instanceof RetriableWriteException retriableWriteException) {
            return !retriableWriteException.isNoResponse();
        }
        return !MongoErrors.isNoResponseError(failure)
                && (failure instanceof MongoBulkWriteException || MongoErrors.isContentError(failure));
    }

    private static Set<Integer> refusedIndexes(MongoBulkWriteException errors) {
        return errors.getWriteErrors().stream().map(BulkWriteError::getIndex).collect(Collectors.toSet());
    }

    private static List<Batcher.BatchedRequest<SizedInsert, WriteOutcome>> others(
            List<Batcher.BatchedRequest<SizedInsert, WriteOutcome>> part, Set<Integer> refused) {
        return IntStream.range(0, part.size())
                .filter(index -> !refused.contains(index))
                .mapToObj(part::get)
                .toList();
    }

    private static void complete(List<Batcher.BatchedRequest<SizedInsert, WriteOutcome>> made) {
        made.forEach(request ->
                request.response().complete(request.payload().insert().outcome()));
    }
}
