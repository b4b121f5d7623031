package io.orestes.store.embedded;

import io.orestes.model.ApiException;
import io.orestes.store.IndexKeys;
import io.vertx.core.Future;

/** Removes an index with all its entries, in one step whatever its size. */
final class IndexDrop implements Chore {

    private final IndexCatalog catalog;
    private final String bucket;
    private final IndexKeys keys;
    private final Reply<Void> reply;

    IndexDrop(IndexCatalog catalog, String bucket, IndexKeys keys, Reply<Void> reply) {
        this.catalog = catalog;
        this.bucket = bucket;
        this.keys = keys;
        this.reply = reply;
    }

    @Override
    public boolean step(Replies replies) {
        catalog.find(bucket, keys).ifPresent(catalog::drop);
        replies.add(reply, Future.succeededFuture());
        return false;
    }

    @Override
    public void abort(ApiException reason, Replies replies) {
        replies.add(reply, Future.failedFuture(reason));
    }
}
