package io.orestes.store.mongo;

import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.Sorts;
import io.orestes.flow.Loop;
import io.orestes.model.StoredObject;
import io.orestes.store.Rewrite;
import io.orestes.store.UniquePlaces;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;

/**
 * Brings the objects of one bucket into a new form, some at a time, while nobody of this process may write them. What another
 * program writes meanwhile is rewritten in a further round. Used on the store's context only.
 */
final class Rewriting {

    private static final int PAGE = 500;

    private final Buckets buckets;
    private final Publishers publishers;
    private final IndexCatalog catalog;
    private final Indexes indexes;
    private final Changes changes;
    private final Adoption adoption;

    Rewriting(
            Buckets buckets,
            Publishers publishers,
            IndexCatalog catalog,
            Indexes indexes,
            Changes changes,
            Adoption adoption) {
        this.buckets = buckets;
        this.publishers = publishers;
        this.catalog = catalog;
        this.indexes = indexes;
        this.changes = changes;
        this.adoption = adoption;
    }

    Future<Void> of(String bucket, Rewrite rewrite) {
        return indexes.freeze(bucket, () -> {
            List<IndexDefinition> before = catalog.of(bucket);
            List<IndexDefinition> after =
                    before.stream().map(index -> index.moved(rewrite::path)).toList();
            return Loop.whileTrue(() -> round(bucket, rewrite, after))
                    .compose(rewritten -> indexes.replace(before, after));
        });
    }

    /** Comes to whether there has to be another one. */
    private Future<Boolean> round(String bucket, Rewrite rewrite, List<IndexDefinition> after) {
        boolean[] missed = {false};
        return publishers
                .each(
                        buckets.newest(bucket)
                                .find()
                                .sort(Sorts.ascending(StoredObject.ID))
                                .batchSize(PAGE),
                        PAGE,
                        page -> found(bucket, page)
                                .compose(objects -> rewrite(bucket, rewrite, after, objects))
                                .onSuccess(all -> missed[0] |= !all)
                                .map(true))
                .recover(failure -> makeRoom(bucket, failure, missed))
                .map(read -> missed[0]);
    }

    private Future<List<Found>> found(String bucket, List<BsonDocument> page) {
        return adoption.found(bucket, page).map(found -> List.copyOf(found.values()));
    }

    private Future<Void> makeRoom(String bucket, Throwable failure, boolean[] missed) {
        missed[0] = Refusals.isOfParallelArrays(failure);
        return missed[0] ? indexes.reduce(bucket) : Future.failedFuture(failure);
    }

    /** Comes to whether all of these objects have the new form now. */
    private Future<Boolean> rewrite(String bucket, Rewrite rewrite, List<IndexDefinition> after, List<Found> page) {
        List<ReplaceOneModel<BsonDocument>> replacements = new ArrayList<>();
        List<String> ids = new ArrayList<>();
        for (Found found : page) {
            StoredObject stored = found.object();
            BsonDocument fields = rewrite.fields(stored.document());
            if (!fields.equals(stored.document())) {
                ids.add(stored.ref().id());
                replacements.add(new ReplaceOneModel<>(
                        Change.state(stored),
                        Ids.replacement(
                                stored.ref(), changes.next(found, fields, after).document())));
            }
        }
        if (replacements.isEmpty()) {
            return Future.succeededFuture(true);
        }
        Future<Optional<BulkWriteResult>> writing =
                publishers.first(buckets.newest(bucket).bulkWrite(replacements, new BulkWriteOptions().ordered(false)));
        return writing.map(result -> result.orElseThrow().getMatchedCount() == replacements.size())
                .recover(failure -> Future.failedFuture(
                        Refusals.isDuplicate(failure)
                                ? violation(after, ids.get(Refusals.firstDuplicate(failure)))
                                : failure));
    }

    private static RuntimeException violation(List<IndexDefinition> indexes, String id) {
        IndexDefinition unique = indexes.stream()
                .filter(index -> index.keys().unique())
                .findFirst()
                .orElseThrow();
        return UniquePlaces.violation(unique.keys(), id);
    }
}
