package io.orestes.http.data;

import io.orestes.caching.Caches;
import io.orestes.http.caching.CacheableResponses;
import io.orestes.http.caching.CachingServices;
import io.orestes.http.caller.RequestAuthenticator;
import io.orestes.http.protocol.ApiRouter;
import io.orestes.read.response.JsonRenderer;
import io.orestes.schema.ClassIndexService;
import io.orestes.schema.SchemaRegistry;
import io.orestes.transaction.TransactionManager;
import io.orestes.write.ClassPrivatizationPurge;
import io.orestes.write.WritePipeline;

/** The thread-safe services about classes and objects that the routes of all event loops share. */
public record DataServices(
        SchemaRegistry schemas,
        ClassIndexService indexes,
        ReadServices reads,
        WritePipeline writes,
        TransactionManager transactions,
        JsonRenderer jsonRenderer) {

    /**
     * Mounts the routes of classes, queries, transactions and objects: to be mounted after all
     * others below {@code /db}.
     */
    public void mount(ApiRouter apiRouter, RequestAuthenticator authenticator, CachingServices caching) {
        Caches caches = caching.caches();
        CacheableResponses replies = caching.replies();
        new SchemaRoutes(authenticator, schemas, new ClassPrivatizationPurge(schemas, caches.invalidator()))
                .mount(apiRouter);
        new IndexRoutes(authenticator, schemas, indexes).mount(apiRouter);
        new QueryRoutes(authenticator, reads, replies).mount(apiRouter);
        new PreparedQueryRoutes(authenticator, reads.prepared(), reads.queries(), replies).mount(apiRouter);
        new BulkRoutes(authenticator, schemas, reads.buckets(), writes, jsonRenderer).mount(apiRouter);
        new TransactionRoutes(authenticator, transactions, caches.replica()).mount(apiRouter);
        objects(authenticator, replies).mount(apiRouter);
    }

    /** Returns the routes of single objects. */
    public ObjectRoutes objects(RequestAuthenticator authenticator, CacheableResponses replies) {
        return new ObjectRoutes(authenticator, reads, writes, jsonRenderer, replies);
    }
}
