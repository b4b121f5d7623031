package io.orestes.store.mongo.read;

import io.orestes.async.Batcher;
import io.orestes.model.ObjectRef;
import io.orestes.store.mongo.document.CurrentObject;
import io.orestes.store.mongo.document.DocumentIds;
import io.orestes.store.mongo.document.ForeignDocumentNormalizer;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A loader of objects by id that combines concurrent loads into one request. Loads that are
 * requested at one moment share a request. Used on the store's context only.
 */
public final class BatchLoader {

    private final Batcher<ObjectRef, Optional<CurrentObject>> finds;
    private final DocumentFinder documentFinder;
    private final ForeignDocumentNormalizer foreignDocumentNormalizer;

    public BatchLoader(
            Context home, DocumentFinder documentFinder, ForeignDocumentNormalizer foreignDocumentNormalizer) {
        this.finds = new Batcher<>(home, DocumentFinder.PAGE_SIZE, this::findTogether);
        this.documentFinder = documentFinder;
        this.foreignDocumentNormalizer = foreignDocumentNormalizer;
    }

    public Future<Optional<CurrentObject>> find(ObjectRef ref) {
        return finds.submit(ref);
    }

    /** Finds several objects of a bucket; absent ones are left out. */
    public Future<List<CurrentObject>> findAll(String bucket, Collection<ObjectRef> refs) {
        return load(bucket, refs).map(found -> List.copyOf(found.values()));
    }

    private void findTogether(List<Batcher.BatchedRequest<ObjectRef, Optional<CurrentObject>>> requests) {
        Batcher.grouped(requests, ObjectRef::bucket)
                .forEach((bucket, group) -> Batcher.completeAll(
                        group,
                        load(bucket, Batcher.payloads(group)),
                        (found, ref) -> Optional.ofNullable(found.get(ref))));
    }

    private Future<Map<ObjectRef, CurrentObject>> load(String bucket, Collection<ObjectRef> refs) {
        boolean isOne = refs.size() == 1 && refs.stream().noneMatch(DocumentIds::mayBeForeign);
        return documentFinder
                .find(
                        bucket,
                        DocumentIds.anyOf(refs),
                        found -> isOne ? found.limit(1) : found.batchSize(DocumentFinder.PAGE_SIZE))
                .compose(documents -> foreignDocumentNormalizer.currentObjects(bucket, documents));
    }
}
