package io.orestes.store.mongo;

import io.orestes.flow.Loop;
import io.orestes.model.ObjectRef;
import io.orestes.model.Outcome;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.bson.BsonNull;
import org.bson.types.ObjectId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits that this process has finished for another one, which may be gone and have told nobody. The record of each is kept until all know, so
 * that somebody else tells if this process ends before. Used on the store's context only.
 */
final class Untold {

    private static final Logger LOG = LoggerFactory.getLogger(Untold.class);
    private static final int PAGE = 100;

    private final Buckets buckets;
    private final Publishers publishers;
    private final CommitRecords records;
    private final Map<ObjectId, CommitRecord> waiting = new LinkedHashMap<>();
    private Optional<Function<Outcome, Future<Void>>> telling = Optional.empty();
    private Future<?> told = Future.succeededFuture();

    Untold(Buckets buckets, Publishers publishers, CommitRecords records) {
        this.buckets = buckets;
        this.publishers = publishers;
        this.records = records;
    }

    /** From now on somebody can be told. */
    void begin(Function<Outcome, Future<Void>> others) {
        telling = Optional.of(others);
        tellAll();
    }

    /** Nobody needs to wait until all know: this process tells before it ends, or another one does. */
    void add(CommitRecord record) {
        LOG.info(
                "A commit of {} objects, which another process or this one left over, is done",
                record.entries().size());
        waiting.put(record.id(), record);
        tellAll();
    }

    /** One after the other; what cannot be told now is the next time. */
    void tellAll() {
        telling.filter(others -> told.isComplete())
                .ifPresent(others -> told = Loop.whileTrue(() -> waiting.isEmpty()
                        ? Future.succeededFuture(false)
                        : tell(waiting.values().iterator().next(), others).map(true)));
    }

    private Future<?> tell(CommitRecord record, Function<Outcome, Future<Void>> others) {
        return outcomes(record)
                .compose(outcomes -> Future.join(outcomes.stream().map(others).toList()))
                .compose(all -> records.delete(record.id()))
                .onSuccess(deleted -> waiting.remove(record.id()));
    }

    /** What is there of the objects now: what became of them meanwhile somebody has told, or is about to. */
    private Future<List<Outcome>> outcomes(CommitRecord record) {
        List<Outcome> outcomes = new ArrayList<>();
        record.entries().stream()
                .filter(entry -> entry.kind() == CommitRecord.Kind.END)
                .forEach(end -> outcomes.add(end.tombstone()));
        return Future.all(record.buckets().stream()
                        .map(bucket -> states(record, bucket).onSuccess(outcomes::addAll))
                        .toList())
                .map(found -> outcomes);
    }

    private Future<List<Outcome>> states(CommitRecord record, String bucket) {
        List<ObjectRef> written = record.entries().stream()
                .filter(entry -> entry.ref().bucket().equals(bucket) && entry.kind() != CommitRecord.Kind.END)
                .map(CommitRecord.Entry::ref)
                .toList();
        return publishers
                .all(buckets.newest(bucket).find(Ids.anyOf(written)).batchSize(PAGE), PAGE)
                .map(found -> found.stream()
                        .filter(document -> Documents.isWhole(document) && !Marks.isNew(document))
                        .flatMap(document -> Ids.ref(bucket, document.get(CommitRecord.ID, BsonNull.VALUE)).stream()
                                .<Outcome>map(ref -> Documents.object(ref, document)))
                        .toList());
    }
}
