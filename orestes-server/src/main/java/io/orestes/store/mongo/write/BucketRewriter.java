package io.orestes.store.mongo.write;

import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.Sorts;
import io.orestes.async.Loop;
import io.orestes.model.StoredObject;
import io.orestes.store.DocumentRewrite;
import io.orestes.store.UniqueKeyHashes;
import io.orestes.store.mongo.document.CurrentObject;
import io.orestes.store.mongo.document.DocumentIds;
import io.orestes.store.mongo.document.ForeignDocumentNormalizer;
import io.orestes.store.mongo.document.MongoCollections;
import io.orestes.store.mongo.driver.MongoErrors;
import io.orestes.store.mongo.driver.PublisherAdapter;
import io.orestes.store.mongo.index.DeclaredIndexCatalog;
import io.orestes.store.mongo.index.IndexManager;
import io.orestes.store.mongo.index.MongoIndexDefinition;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;

/**
 * A procedure that transforms all objects of one bucket to a new schema, page by page. No code of
 * this process may write them meanwhile. Objects that another program writes meanwhile are
 * rewritten in a further round. Used on the store's context only.
 */
public final class BucketRewriter {

    private static final int PAGE_SIZE = 500;

    private final MongoCollections mongoCollections;
    private final PublisherAdapter publisherAdapter;
    private final DeclaredIndexCatalog catalog;
    private final IndexManager indexManager;
    private final WritePlanner writePlanner;
    private final ForeignDocumentNormalizer foreignDocumentNormalizer;

    public BucketRewriter(
            MongoCollections mongoCollections,
            DeclaredIndexCatalog catalog,
            IndexManager indexManager,
            WritePlanner writePlanner,
            ForeignDocumentNormalizer foreignDocumentNormalizer) {
        this.mongoCollections = mongoCollections;
        this.publisherAdapter = mongoCollections.publishers();
        this.catalog = catalog;
        this.indexManager = indexManager;
        this.writePlanner = writePlanner;
        this.foreignDocumentNormalizer = foreignDocumentNormalizer;
    }

    public Future<Void> rewrite(String bucket, DocumentRewrite documentRewrite) {
        return indexManager.runExclusively(bucket, () -> {
            List<MongoIndexDefinition> before = catalog.of(bucket);
            List<MongoIndexDefinition> after = before.stream()
                    .map(index -> index.withPaths(documentRewrite::path))
                    .toList();
            return Loop.whileTrue(() -> rewriteRound(bucket, documentRewrite, after))
                    .compose(rewritten -> indexManager.replace(before, after));
        });
    }

    /** Rewrites all objects once; returns true if another round is needed. */
    private Future<Boolean> rewriteRound(
            String bucket, DocumentRewrite documentRewrite, List<MongoIndexDefinition> after) {
        boolean[] missed = {false};
        return publisherAdapter
                .each(
                        mongoCollections
                                .newest(bucket)
                                .find()
                                .sort(Sorts.ascending(StoredObject.ID))
                                .batchSize(PAGE_SIZE),
                        PAGE_SIZE,
                        page -> found(bucket, page)
                                .compose(objects -> rewrite(bucket, documentRewrite, after, objects))
                                .onSuccess(all -> missed[0] |= !all)
                                .map(true))
                .recover(failure -> resolveIndexConflict(bucket, failure, missed))
                .map(read -> missed[0]);
    }

    private Future<List<CurrentObject>> found(String bucket, List<BsonDocument> page) {
        return foreignDocumentNormalizer.currentObjects(bucket, page).map(byRef -> List.copyOf(byRef.values()));
    }

    private Future<Void> resolveIndexConflict(String bucket, Throwable failure, boolean[] missed) {
        missed[0] = MongoErrors.isParallelArraysError(failure);
        return missed[0] ? indexManager.reduce(bucket) : Future.failedFuture(failure);
    }

    /** Rewrites a page; returns true if all of its objects have the new form now. */
    private Future<Boolean> rewrite(
            String bucket,
            DocumentRewrite documentRewrite,
            List<MongoIndexDefinition> after,
            List<CurrentObject> page) {
        List<ReplaceOneModel<BsonDocument>> replacements = new ArrayList<>();
        List<String> ids = new ArrayList<>();
        for (CurrentObject currentObject : page) {
            StoredObject stored = currentObject.object();
            BsonDocument fields = documentRewrite.fields(stored.document());
            if (!fields.equals(stored.document())) {
                ids.add(stored.ref().id());
                replacements.add(new ReplaceOneModel<>(
                        DocumentIds.state(stored),
                        DocumentIds.replacement(
                                stored.ref(),
                                writePlanner.next(currentObject, fields, after).document())));
            }
        }
        if (replacements.isEmpty()) {
            return Future.succeededFuture(true);
        }
        Future<Optional<BulkWriteResult>> writing = publisherAdapter.first(
                mongoCollections.newest(bucket).bulkWrite(replacements, new BulkWriteOptions().ordered(false)));
        return writing.map(result -> result.orElseThrow().getMatchedCount() == replacements.size())
                .recover(failure -> Future.failedFuture(
                        MongoErrors.isDuplicate(failure)
                                ? violation(after, ids.get(MongoErrors.firstDuplicate(failure)))
                                : failure));
    }

    private static RuntimeException violation(List<MongoIndexDefinition> indexes, String id) {
        MongoIndexDefinition unique = indexes.stream()
                .filter(index -> index.spec().unique())
                .findFirst()
                .orElseThrow();
        return UniqueKeyHashes.violation(unique.spec(), id);
    }
}
