package io.orestes.app.module;

import io.orestes.app.config.ServerConfig;
import io.orestes.caching.ReadCache;
import io.orestes.http.data.ReadServices;
import io.orestes.read.object.BucketScanner;
import io.orestes.read.object.ObjectReader;
import io.orestes.read.object.ReferenceExpander;
import io.orestes.read.query.AggregateReader;
import io.orestes.read.query.ParameterizedQueryRepository;
import io.orestes.read.query.QueryParser;
import io.orestes.read.query.QueryReader;
import io.orestes.read.response.ReaderDependencies;
import io.orestes.read.watch.CachedQueryRegistry;
import io.orestes.read.watch.ReadMetrics;

/** The readers of objects and queries, and the registry of queries with cached results. */
public record ReadModule(CachedQueryRegistry cachedQueries, ReadServices services) {

    static ReadModule create(Platform platform, DataModule data) {
        CachedQueryRegistry cachedQueries = new CachedQueryRegistry(
                platform.vertx(),
                data.caching().caches().invalidator(),
                data.matching().client(),
                platform.config().maxLag(),
                platform.steady());
        ReadMetrics.bind(platform.metrics().registry(), cachedQueries);
        return new ReadModule(cachedQueries, services(platform, data, cachedQueries));
    }

    /** Invalidates all cached query results, because no change of them is known any more. */
    public void invalidateCachedQueries() {
        cachedQueries.invalidateAll();
    }

    private static ReadServices services(Platform platform, DataModule data, CachedQueryRegistry cachedQueries) {
        ServerConfig config = platform.config();
        ReaderDependencies context = context(platform, data);
        QueryParser parser = data.schema().parser();
        ReadCache cache = data.caching().caches().reads();
        QueryReader queries = new QueryReader(context, parser, cache, cachedQueries, config.query());
        return new ReadServices(
                new ObjectReader(context, cache),
                queries,
                new ReferenceExpander(platform.vertx(), context, queries, config.maxDepth()),
                new ParameterizedQueryRepository(context.store(), context.schemas(), parser, config.query()),
                new AggregateReader(context, parser, config.query()),
                new BucketScanner(context.store()));
    }

    private static ReaderDependencies context(Platform platform, DataModule data) {
        return new ReaderDependencies(
                data.schema().registry(),
                data.storage().store(),
                data.schema().renderer(),
                platform.config().consistency(),
                platform.steady());
    }
}
