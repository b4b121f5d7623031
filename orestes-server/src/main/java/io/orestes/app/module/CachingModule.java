package io.orestes.app.module;

import io.orestes.app.config.ServerConfig;
import io.orestes.caching.Caches;
import io.orestes.caching.CachingConfig;
import io.orestes.caching.purge.Purger;
import io.orestes.caching.purge.SharedCaches;
import io.orestes.caching.sketch.SketchFile;
import io.vertx.core.Future;

/**
 * The caches of the server, with the file that carries their sketch over a restart.
 *
 * @param sketchFile to be used by a server without a group only
 */
public record CachingModule(Platform platform, Caches caches, SketchFile sketchFile) {

    /** Creates the caches; succeeds when all shared caches have dropped earlier copies. */
    static Future<CachingModule> start(Platform platform, GroupModule group) {
        CachingConfig config = platform.config().caching();
        return Purger.start(
                        platform.vertx(),
                        config.purge(),
                        config.ttl().sharedMax(),
                        platform.metrics().registry())
                .map(shared -> create(platform, group, shared));
    }

    private static CachingModule create(Platform platform, GroupModule group, SharedCaches shared) {
        ServerConfig config = platform.config();
        return new CachingModule(
                platform,
                Caches.create(
                        config.caching(),
                        shared,
                        group.group().replication(),
                        platform.steady(),
                        platform.metrics().registry()),
                new SketchFile(config.store().directory().resolve("sketch"), config.longestTtl(), platform.steady()));
    }

    /** Restores the sketch of the last process. Blocks on the file. */
    void restoreSketch() {
        sketchFile.restore(caches.staleKeys());
    }

    /**
     * Stores the sketch for the next process. Discards it if the system's clock is ahead of its
     * times, because the next process would regard them as expired.
     */
    Future<Void> saveSketch() {
        return platform.vertx()
                .executeBlocking(() -> {
                    if (platform.steady().isBehind()) {
                        sketchFile.discard();
                    } else {
                        sketchFile.save(caches.staleKeys());
                    }
                    return true;
                })
                .mapEmpty();
    }
}
