package io.orestes.store.mongo;

import static io.orestes.store.Await.await;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.mongodb.ReadConcern;
import com.mongodb.WriteConcern;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoDatabase;
import io.orestes.store.Batch;
import io.orestes.support.mongo.Mongod;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A process that dies, or stands still, while it writes several objects together. */
final class HalfDone implements AutoCloseable {

    /** What it has done last. */
    enum Step {
        RECORDED(false),
        PREPARED_HALF(false),
        PREPARED(false),
        BEGUN(false),
        DECIDED(true),
        APPLIED_HALF(true),
        APPLIED(true),
        ENDED(true);

        /** Whether the objects have to be written. */
        final boolean isCommitted;

        Step(boolean isCommitted) {
            this.isCommitted = isCommitted;
        }
    }

    private final MongoClient client;
    private final CommitRecords records;
    private final PreparedWrites prepared;
    private final CommitAccount account;
    private final Changes changes;
    private final IndexCatalog catalog;

    HalfDone(Vertx vertx, Mongod mongod) {
        client = MongoClients.create(mongod.address());
        MongoDatabase database = client.getDatabase("test").withWriteConcern(WriteConcern.JOURNALED);
        Buckets buckets = new Buckets(client.getDatabase("admin"), database, ReadConcern.LOCAL);
        Publishers publishers = new Publishers(vertx, vertx.getOrCreateContext(), Duration.ofSeconds(10));
        catalog = new IndexCatalog(buckets, publishers);
        changes = new Changes(catalog, InstantSource.system());
        Obstacles obstacles = new Obstacles(Finder.newest(buckets, publishers), catalog);
        records = new CommitRecords(buckets, publishers);
        prepared = new PreparedWrites(buckets, publishers, new Tombstones(buckets, publishers), obstacles);
        account = new SharedAccount(vertx, buckets, publishers);
    }

    /** Does the first steps. */
    @CanIgnoreReturnValue
    Attempt until(Step last, MongoObjectStore store, Batch.Write... writes) {
        Attempt attempt = attempt(store, writes);
        attempt.until(last);
        return attempt;
    }

    /** Has looked at the objects, and done nothing yet. */
    Attempt attempt(MongoObjectStore store, Batch.Write... writes) {
        await(catalog.load());
        List<Change> all = new ArrayList<>();
        for (Batch.Write write : writes) {
            Optional<Found> before =
                    await(store.find(write.ref())).map(object -> new Found(object, CompletionRecords.NONE));
            all.add(changes.of(write, before, 0).orElseThrow());
        }
        return new Attempt(all);
    }

    @Override
    public void close() {
        client.close();
    }

    /** One commit. */
    final class Attempt {

        final CommitRecord record;
        private final Map<String, List<Change>> byBucket;

        private Attempt(List<Change> all) {
            record = CommitRecord.of(all);
            byBucket = all.stream()
                    .collect(Collectors.groupingBy(change -> change.ref().bucket()));
        }

        void until(Step last) {
            if (last.compareTo(Step.RECORDED) >= 0) {
                await(records.insert(record));
            }
            if (last.compareTo(Step.PREPARED_HALF) >= 0) {
                inSome(last == Step.PREPARED_HALF, this::prepare);
            }
            if (last.compareTo(Step.BEGUN) >= 0) {
                await(account.begin(record.id(), record.buckets()));
            }
            if (last.compareTo(Step.DECIDED) >= 0) {
                await(records.commit(record.id()));
            }
            if (last.compareTo(Step.APPLIED_HALF) >= 0) {
                inSome(last == Step.APPLIED_HALF, this::apply);
            }
            if (last == Step.ENDED) {
                await(account.end(record.id(), record.buckets()));
            }
        }

        Future<?> prepare(String bucket) {
            return prepared.write(record.id(), bucket, byBucket.getOrDefault(bucket, List.of()));
        }

        Future<?> apply(String bucket) {
            return prepared.apply(record, bucket);
        }

        Future<?> rollBack(String bucket) {
            return prepared.rollBack(record, bucket);
        }

        Future<Boolean> decide() {
            return records.commit(record.id());
        }

        Future<Boolean> abort() {
            return records.abort(record.id());
        }

        private void inSome(boolean isHalf, Function<String, Future<?>> step) {
            byBucket.keySet().stream()
                    .sorted()
                    .limit(isHalf ? 1 : Long.MAX_VALUE)
                    .forEach(bucket -> await(step.apply(bucket)));
        }
    }
}
