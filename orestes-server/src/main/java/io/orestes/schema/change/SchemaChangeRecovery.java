package io.orestes.schema.change;

import io.invalidb.query.filter.Filter;
import io.orestes.schema.migration.DataMigration;
import io.orestes.schema.model.Schema;
import io.orestes.store.DocumentRewrite;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.bson.BsonDocument;

/**
 * The recovery of a schema change that was stored but not finished before the process ended. It
 * logs its work and progress, because the server does nothing else until it is done. Used once.
 */
public final class SchemaChangeRecovery {

    private final ObjectStore store;
    private final ClassDataHandler data;
    private final SchemaTransition transition;
    private final Map<String, DocumentRewrite> rewrites;
    private final InstantSource clock;
    private final Consumer<String> log;

    /** @param journal document from {@link StoredSchema#journal} */
    public SchemaChangeRecovery(
            ObjectStore store, ClassDataHandler data, BsonDocument journal, InstantSource clock, Consumer<String> log) {
        this.store = store;
        this.data = data;
        this.transition = StoredSchema.transition(journal);
        this.rewrites =
                new DataMigration(transition.before(), transition.after(), StoredSchema.renames(journal)).rewrites();
        this.clock = clock;
        this.log = log;
    }

    /** Returns the schema in effect after the recovery. */
    Schema after() {
        return transition.after();
    }

    /**
     * Rewrites all remaining objects to the new schema, as long as the lock is valid; objects in
     * the new form stay unchanged.
     */
    public Future<Void> finish(SchemaCoordination.SchemaLock turn) {
        return announce().compose(announced -> {
            ProgressReporter progress = new ProgressReporter(clock, log);
            return store.rewrite(counted(progress, turn), data::onRecovered)
                    .compose(moved -> drop(progress, turn))
                    .onSuccess(done -> progress.end());
        });
    }

    private Future<Void> announce() {
        return describe(rewrites.keySet())
                .compose(rewritten -> describe(transition.removed())
                        .onSuccess(
                                removed -> log.accept("Finishing a change of the schema that the last process did not"
                                        + " finish. Fields were renamed, removed or converted in: " + rewritten
                                        + ". Removed classes: "
                                        + removed)))
                .mapEmpty();
    }

    private Future<String> describe(Collection<String> buckets) {
        List<Future<String>> descriptions =
                buckets.stream().sorted().map(this::describe).toList();
        return Future.join(descriptions)
                .map(all -> descriptions.isEmpty()
                        ? "none"
                        : descriptions.stream().map(Future::result).collect(Collectors.joining(", ")));
    }

    /**
     * Describes the work on a class. Counting may exceed the time limit of queries, which must not
     * prevent the start.
     */
    private Future<String> describe(String bucket) {
        return store.count(bucket, Filter.ALL)
                .map(count -> "/db/" + bucket + " (" + count + " objects)")
                .otherwise("/db/" + bucket);
    }

    private Map<String, DocumentRewrite> counted(ProgressReporter progress, SchemaCoordination.SchemaLock turn) {
        return rewrites.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(
                        Map.Entry::getKey, entry -> new CountingRewrite(entry.getValue(), progress, turn)));
    }

    private Future<Void> drop(ProgressReporter progress, SchemaCoordination.SchemaLock turn) {
        return Future.join(transition.removed().stream()
                        .<Future<?>>map(bucket ->
                                store.drop(bucket, turn::requireValid, deleted -> progress.add(deleted.size())))
                        .toList())
                .mapEmpty();
    }

    /** A rewrite that counts every object. */
    private record CountingRewrite(
            DocumentRewrite target, ProgressReporter progress, SchemaCoordination.SchemaLock turn)
            implements DocumentRewrite {

        @Override
        public BsonDocument fields(BsonDocument stored) {
            turn.requireValid();
            progress.add(1);
            BsonDocument changed = target.fields(stored);
            if (changed.equals(stored)) {
                progress.addEarlier();
            }
            return changed;
        }

        @Override
        public String path(String indexed) {
            return target.path(indexed);
        }
    }
}
