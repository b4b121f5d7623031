package io.orestes.app.module;

import io.orestes.caching.sketch.SketchFile;
import io.orestes.cluster.SchemaFollower;
import io.orestes.read.query.QueryParser;
import io.orestes.read.response.JsonRenderer;
import io.orestes.schema.SchemaRegistry;
import io.orestes.schema.change.ClassDataHandler;
import io.orestes.write.WritePipeline;
import io.vertx.core.Future;

/**
 * The schema, what follows its changes by other servers, and what reads queries and renders objects
 * by it.
 *
 * @param writes the pipeline through which a change of the schema drops and invalidates objects
 */
public record SchemaModule(
        SchemaRegistry registry,
        SchemaFollower follower,
        QueryParser parser,
        JsonRenderer renderer,
        ForwardReference<WritePipeline> writes) {

    /**
     * Loads the stored schema. A server without a group finishes the change that the last process
     * did not finish.
     */
    static Future<SchemaModule> open(
            Platform platform, StorageModule storage, CachingModule caching, GroupModule group) {
        ForwardReference<WritePipeline> writes = new ForwardReference<>();
        ForwardReference<SchemaFollower> reference = new ForwardReference<>();
        return group.group()
                .openSchema(storage.store(), new ClassData(writes, caching.sketchFile()), reference)
                .map(registry -> {
                    SchemaFollower follower = new SchemaFollower(platform.vertx(), registry, storage.shared());
                    reference.resolve(follower);
                    return new SchemaModule(
                            registry, follower, new QueryParser(registry), new JsonRenderer(registry), writes);
                });
    }

    /** The handler of objects of changed classes, which reaches all their copies. */
    private record ClassData(ForwardReference<WritePipeline> writes, SketchFile sketchFile)
            implements ClassDataHandler {

        @Override
        public Future<?> drop(String bucket, Runnable guard) {
            return writes.get().drop(bucket, guard);
        }

        @Override
        public Future<?> invalidate(String bucket) {
            return writes.get().republishClass(bucket);
        }

        @Override
        public void onRecovered() {
            sketchFile.discard();
        }
    }
}
