package io.orestes.store.mongo.read;

import io.orestes.async.Batcher;
import io.orestes.model.ObjectRef;
import io.orestes.store.mongo.document.CurrentObject;
import io.orestes.store.mongo.document.DocumentIds;
import io.orestes.store.mongo.document.DocumentNormalizer;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;

/**
 * A loader of objects by id that combines concurrent loads into one request. Loads that are
 * requested at one moment share a request. Used on the store's context only.
 */
public final class BatchLoader {

    private final Batcher<ObjectRef, Optional<CurrentObject>> finds;
    private final DocumentFinder documentFinder;
    private final DocumentNormalizer documentNormalizer;

    public BatchLoader(Context home, DocumentFinder documentFinder, DocumentNormalizer documentNormalizer) {
        this.finds = new Batcher<>(home, DocumentFinder.PAGE_SIZE, this::findTogether);
        this.documentFinder = documentFinder;
        this.documentNormalizer = documentNormalizer;
    }

    public Future<Optional<CurrentObject>> find(ObjectRef ref) {
        return finds.submit(ref);
    }

    /** Finds several objects of a bucket; absent ones are left out. */
    public Future<List<CurrentObject>> findAll(String bucket, Collection<ObjectRef> refs) {
        List<Batcher.BatchedRequest<ObjectRef, Optional<CurrentObject>>> asked = refs.stream()
                .distinct()
                .map(ref -> new Batcher.BatchedRequest<>(ref, Promise.<Optional<CurrentObject>>promise()))
                .toList();
        new BucketLoad(bucket, asked).find();
        return Future.join(asked.stream().map(one -> one.response().future()).toList())
                .map(all -> all.<Optional<CurrentObject>>list().stream()
                        .flatMap(Optional::stream)
                        .toList());
    }

    private void findTogether(List<Batcher.BatchedRequest<ObjectRef, Optional<CurrentObject>>> asked) {
        Batcher.grouped(asked, ObjectRef::bucket).forEach((bucket, group) -> new BucketLoad(bucket, group).find());
    }

    /** Requests for objects of one bucket. */
    private final class BucketLoad {

        private final String bucket;
        private final List<Batcher.BatchedRequest<ObjectRef, Optional<CurrentObject>>> asked;

        private BucketLoad(String bucket, List<Batcher.BatchedRequest<ObjectRef, Optional<CurrentObject>>> asked) {
            this.bucket = bucket;
            this.asked = asked;
        }

        private void find() {
            Batcher.completeAll(
                    asked,
                    documents().compose(documents -> documentNormalizer.currentObjects(bucket, documents)),
                    (objects, ref) -> Optional.ofNullable(objects.get(ref)));
        }

        private Future<List<BsonDocument>> documents() {
            List<ObjectRef> refs = Batcher.payloads(asked);
            boolean isOne = refs.size() == 1 && !DocumentIds.mayBeForeign(refs.get(0));
            return documentFinder.find(
                    bucket,
                    DocumentIds.anyOf(refs),
                    found -> isOne ? found.limit(1) : found.batchSize(DocumentFinder.PAGE_SIZE));
        }
    }
}
