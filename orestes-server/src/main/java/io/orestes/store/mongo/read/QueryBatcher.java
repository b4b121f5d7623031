package io.orestes.store.mongo.read;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.mongodb.reactivestreams.client.FindPublisher;
import io.invalidb.query.filter.Filter;
import io.invalidb.query.value.HeapSize;
import io.orestes.async.Batcher;
import io.orestes.async.Batcher.BatchedRequest;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.StoredObject;
import io.orestes.store.ResultBudget;
import io.orestes.store.StoreQuery;
import io.orestes.store.TopKMatches;
import io.orestes.store.mongo.driver.MongoErrors;
import io.orestes.store.mongo.driver.PublisherAdapter.PageLimits;
import io.orestes.store.mongo.index.DeclaredIndexCatalog;
import io.vertx.core.CompositeFuture;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A batcher of concurrent queries that differ in one value and share one request under load. The
 * request finds documents with any of the values, and each query takes those with its own. Only
 * queries with small results are batched. A shape whose queries have large ones is not batched
 * for a while. Used on the store's context only.
 */
final class QueryBatcher {

    private static final int MAX_BATCH_SIZE = 32;

    /** Maximum number of requests in flight, as for writes: MongoDB is never idle with so many. */
    private static final int MAX_IN_FLIGHT = 4;

    private static final Duration MAX_DELAY = Duration.ofMillis(20);

    /** Maximum number of objects in a response; a larger one is not of small queries. */
    private static final int MAX_OBJECTS = 1_000;

    private static final long MAX_BYTES = 2 << 20;

    /**
     * Divisor of a query's time for the batch. All queries may have to run alone afterwards, in the
     * remaining time.
     */
    private static final int SHARE = 4;

    private static final Duration EXCLUSION_TIME = Duration.ofMinutes(1);
    private static final int MAX_EXCLUDED = 1_000;

    private final DeclaredIndexCatalog catalog;
    private final PagedDocumentReader reader;
    private final SingleQueryExecutor singleQueryExecutor;
    private final Duration budget;
    private final Batcher<PendingQuery, List<StoredObject>> batcher;
    private final Cache<BatchableQueryShape, Boolean> large = Caffeine.newBuilder()
            .maximumSize(MAX_EXCLUDED)
            .expireAfterWrite(EXCLUSION_TIME)
            .executor(Runnable::run)
            .build();

    /** An executor that runs one query by a request of its own within a time limit. */
    interface SingleQueryExecutor {

        /**
         * Returns the result of a query.
         *
         * @param longest maximum time that it may run
         */
        Future<List<StoredObject>> execute(
                StoreQuery query, ResultBudget.PartialResultShare budgetShare, Duration longest);
    }

    /** @param end of its time, by {@link System#nanoTime()} */
    private record PendingQuery(
            StoreQuery query,
            ResultBudget.PartialResultShare budgetShare,
            BatchableQueryShape.PointQuery pointQuery,
            long end) {

        private Duration left() {
            return Duration.ofNanos(end - System.nanoTime());
        }
    }

    /**
     * Creates the batcher of one database.
     *
     * @param reader reads documents; its budget is for one query in total, in a batch and alone
     */
    QueryBatcher(
            Context home,
            DeclaredIndexCatalog catalog,
            PagedDocumentReader reader,
            SingleQueryExecutor singleQueryExecutor) {
        this.catalog = catalog;
        this.reader = reader;
        this.singleQueryExecutor = singleQueryExecutor;
        this.budget = reader.budget();
        this.batcher = new Batcher<>(
                home,
                new Batcher.BatchLimits(MAX_BATCH_SIZE, MAX_IN_FLIGHT, MAX_BATCH_SIZE, MAX_DELAY),
                this::executeBatch);
    }

    /** Executes a query, which must not be for the nearest objects. */
    Future<List<StoredObject>> page(StoreQuery query, ResultBudget.PartialResultShare budgetShare) {
        return BatchableQueryShape.pointQueryOf(query, catalog)
                .filter(pointQuery -> large.getIfPresent(pointQuery.shape()) == null)
                .map(pointQuery -> batcher.submit(
                        new PendingQuery(query, budgetShare, pointQuery, System.nanoTime() + budget.toNanos())))
                .orElseGet(() -> singleQueryExecutor.execute(query, budgetShare, budget));
    }

    private Future<?> executeBatch(List<BatchedRequest<PendingQuery, List<StoredObject>>> requests) {
        return Future.join(
                Batcher.grouped(requests, question -> question.pointQuery().shape()).values().stream()
                        .map(group -> group.size() == 1 ? eachAlone(group) : new QueryBatch(group).ask())
                        .toList());
    }

    private Future<CompositeFuture> eachAlone(List<BatchedRequest<PendingQuery, List<StoredObject>>> some) {
        return Future.join(some.stream()
                .map(batchedRequest -> alone(batchedRequest.payload()).onComplete(batchedRequest.response()))
                .toList());
    }

    private Future<List<StoredObject>> alone(PendingQuery question) {
        Duration left = question.left();
        return left.toMillis() < 1
                ? Future.failedFuture(MongoErrors.tooLong(budget))
                : singleQueryExecutor.execute(question.query(), question.budgetShare(), left);
    }

    /** Queries of one shape, in one request. */
    private final class QueryBatch {

        private final List<BatchedRequest<PendingQuery, List<StoredObject>>> group;
        private final BatchableQueryShape shape;
        private final List<QueryResult> parts;
        private final Map<BsonValue, List<QueryResult>> byKey;
        private int objects;
        private long bytes;

        private QueryBatch(List<BatchedRequest<PendingQuery, List<StoredObject>>> group) {
            this.group = group;
            this.shape = group.get(0).payload().pointQuery().shape();
            this.parts = group.stream().map(QueryResult::new).toList();
            this.byKey = parts.stream().collect(Collectors.groupingBy(QueryResult::key));
        }

        private Future<CompositeFuture> ask() {
            return reader.publishers()
                    .each(all(), PageLimits.bySize(MAX_OBJECTS + 1, MAX_BYTES, HeapSize::of), this::divide)
                    .compose(read -> isLarge() ? eachAlone() : answer(), this::explain);
        }

        private FindPublisher<BsonDocument> all() {
            List<BsonValue> values = group.stream()
                    .map(batchedRequest -> batchedRequest.payload().pointQuery().value())
                    .distinct()
                    .toList();
            return reader.find(shape.bucket(), shape.filterForAnyOf(values))
                    .limit(MAX_OBJECTS + 1)
                    .batchSize(MAX_OBJECTS + 1)
                    .maxTime(Math.max(1, budget.toMillis() / SHARE), TimeUnit.MILLISECONDS);
        }

        /** Distributes more documents to the queries; returns true if the batch is still small. */
        private Future<Boolean> divide(List<BsonDocument> documents, long size) {
            objects += documents.size();
            bytes += size;
            if (!isLarge()) {
                documents.forEach(this::give);
            }
            return Future.succeededFuture(!isLarge());
        }

        /**
         * Passes a document to the queries that it matches. Nearly all documents have one plain
         * value, by which the queries are found without testing each.
         */
        private void give(BsonDocument document) {
            shape.equalityKeyOf(document)
                    .map(key -> byKey.getOrDefault(key, List.of()).stream())
                    .orElseGet(() -> parts.stream().filter(part -> part.matches(document)))
                    .forEach(part -> part.take(document));
        }

        private boolean isLarge() {
            return objects > MAX_OBJECTS || bytes > MAX_BYTES;
        }

        private Future<CompositeFuture> answer() {
            return Future.join(parts.stream().map(QueryResult::answer).toList());
        }

        private Future<CompositeFuture> explain(Throwable failure) {
            return isOfServer(failure) ? fail(failure) : eachAlone();
        }

        private Future<CompositeFuture> eachAlone() {
            large.put(shape, true);
            return QueryBatcher.this.eachAlone(group);
        }

        private Future<CompositeFuture> fail(Throwable failure) {
            group.forEach(batchedRequest -> batchedRequest.response().fail(failure));
            return Future.failedFuture(failure);
        }
    }

    /** True if the failure is independent of the batch, so that a query alone would fail, too. */
    private boolean isOfServer(Throwable failure) {
        return MongoErrors.of(failure, budget).code() == ErrorCode.UNAVAILABLE;
    }

    /** The part of the response that belongs to one query. */
    private final class QueryResult {

        private final BatchedRequest<PendingQuery, List<StoredObject>> batchedRequest;
        private final TopKMatches first;
        /** The filter of this query's value, parsed on demand. */
        private @Nullable Filter own;

        private @Nullable ApiException refusal;

        private QueryResult(BatchedRequest<PendingQuery, List<StoredObject>> batchedRequest) {
            this.batchedRequest = batchedRequest;
            this.first = new TopKMatches(
                    batchedRequest.payload().query(), batchedRequest.payload().budgetShare());
        }

        /** Returns the key of the value that the query looks for, which is a plain one. */
        private BsonValue key() {
            return ScalarEqualityKey.equalityHash(
                            batchedRequest.payload().pointQuery().value())
                    .orElseThrow();
        }

        private boolean matches(BsonDocument document) {
            Filter filter = own;
            if (filter == null) {
                BatchableQueryShape.PointQuery pointQuery =
                        batchedRequest.payload().pointQuery();
                filter = Filter.parse(pointQuery.shape().conditionOn(pointQuery.value()));
                own = filter;
            }
            return filter.matches(document);
        }

        private void take(BsonDocument match) {
            if (refusal == null) {
                try {
                    MongoQueryExecutor.offer(first, match);
                } catch (ApiException refused) {
                    refusal = refused;
                }
            }
        }

        private Future<?> answer() {
            Future<List<StoredObject>> answer = refusal != null
                    ? Future.failedFuture(refusal)
                    : reader.objects(batchedRequest.payload().query().bucket(), first.toList());
            return answer.onComplete(batchedRequest.response());
        }
    }
}
