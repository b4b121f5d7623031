package io.orestes.store.mongo.write;

import io.orestes.async.Batcher;
import io.orestes.model.ApiException;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.store.Batch;
import io.orestes.store.WriteGuard;
import io.orestes.store.mongo.document.CurrentObject;
import io.orestes.store.mongo.document.DocumentIds;
import io.orestes.store.mongo.document.TombstoneCollection;
import io.orestes.store.mongo.read.BatchLoader;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The reader of the states by which single writes are planned. Reads that are requested at one
 * moment share a command. Used on the store's context only.
 */
public final class CurrentStateReader {

    /** Maximum number of tombstones that one request reads. */
    private static final int MAX_TOMBSTONES_READ = 500;

    private final BatchLoader newest;
    private final RecentMetadataCache recent;
    private final Batcher<ObjectRef, Long> endsOfLastLives;

    /** @param newest reads the newest states */
    public CurrentStateReader(
            Context home, BatchLoader newest, RecentMetadataCache recent, TombstoneCollection tombstoneCollection) {
        this.newest = newest;
        this.recent = recent;
        this.endsOfLastLives = new Batcher<>(
                home,
                MAX_TOMBSTONES_READ,
                requests -> Batcher.completeAll(
                        requests,
                        tombstoneCollection.endsOfLastLives(Batcher.payloads(requests)),
                        (ends, ref) -> ends.getOrDefault(ref, 0L)));
    }

    /** Returns the newest state of an object; empty if there is none. */
    Future<Optional<CurrentObject>> newest(ObjectRef ref) {
        return newest.find(ref);
    }

    /**
     * Returns a guess at the state for the first attempt: absence for an insertion that no other
     * program can have made, else the state that this process wrote last. A wrong guess matches
     * nothing in MongoDB, and the next attempt reads the newest state.
     */
    Future<Optional<CurrentObject>> guess(Batch.StoreOperation write, WriteGuard guard) {
        return write.fold(
                insert -> DocumentIds.mayBeForeign(insert.ref())
                        ? newest.find(insert.ref())
                        : Future.succeededFuture(Optional.empty()),
                replace -> recentState(replace, guard),
                update -> newest.find(update.ref()),
                delete -> recentState(delete, guard));
    }

    private Future<Optional<CurrentObject>> recentState(Batch.StoreOperation write, WriteGuard guard) {
        return recent.of(write.ref())
                .filter(found -> isAllowed(write, guard, found.object()))
                .map(state -> Future.succeededFuture(Optional.of(state)))
                .orElseGet(() -> newest.find(write.ref()));
    }

    private static boolean isAllowed(Batch.StoreOperation write, WriteGuard guard, StoredObject state) {
        try {
            guard.check(write.ref(), state);
            return true;
        } catch (ApiException refused) {
            return false;
        }
    }

    /**
     * Returns when the last life of each object ended, milliseconds since 1970; 0 if unknown. Reads
     * of concurrent calls are batched.
     */
    Future<Map<ObjectRef, Long>> endsOfLastLives(List<ObjectRef> refs) {
        List<Future<Long>> ends = refs.stream().map(endsOfLastLives::submit).toList();
        return Future.all(ends).map(read -> IntStream.range(0, refs.size())
                .boxed()
                .collect(
                        Collectors.toUnmodifiableMap(refs::get, i -> ends.get(i).result())));
    }
}
