package io.orestes.app.module;

import io.vertx.core.Future;

/**
 * The modules that reads, writes and live queries use: store, caches, group, schema and matching.
 */
public record DataModule(
        StorageModule storage,
        TokenSecret secret,
        CachingModule caching,
        GroupModule group,
        SchemaModule schema,
        MatchingModule matching) {

    /** Opens these modules on a store, which is closed if that fails. */
    public static Future<DataModule> open(Platform platform, StorageModule storage) {
        return TokenSecret.load(storage)
                .compose(secret -> open(platform, storage, secret))
                .recover(failure -> storage.close().transform(closed -> Future.failedFuture(failure)));
    }

    private static Future<DataModule> open(Platform platform, StorageModule storage, TokenSecret secret) {
        GroupModule group = GroupModule.create(platform, storage, secret);
        return CachingModule.start(platform, group)
                .compose(caching -> open(platform, storage, secret, group, caching))
                .recover(failure -> group.leave().transform(left -> Future.failedFuture(failure)));
    }

    private static Future<DataModule> open(
            Platform platform, StorageModule storage, TokenSecret secret, GroupModule group, CachingModule caching) {
        return SchemaModule.open(platform, storage, caching, group).map(schema -> {
            if (group.group().isStandalone() && !storage.isNew()) {
                caching.restoreSketch();
            }
            return new DataModule(storage, secret, caching, group, schema, MatchingModule.start(platform));
        });
    }

    /** Closes these modules after a start that failed later; never fails. */
    public Future<Void> close() {
        return matching.stop()
                .eventually(group::leave)
                .eventually(storage::close)
                .otherwiseEmpty();
    }

    /** Stores the sketch for the next process, unless the other servers of the group have it. */
    public Future<Void> saveSketch() {
        return group.group().isStandalone() ? caching.saveSketch() : Future.succeededFuture();
    }
}
