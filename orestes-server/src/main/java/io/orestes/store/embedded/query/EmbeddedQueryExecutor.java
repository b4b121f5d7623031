package io.orestes.store.embedded.query;

import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.filter.Filter;
import io.invalidb.query.sort.SortOrder;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.StoredObject;
import io.orestes.store.ObjectStore;
import io.orestes.store.ResultBudget;
import io.orestes.store.StoreQuery;
import io.orestes.store.embedded.codec.ObjectDecoder;
import io.orestes.store.embedded.codec.StoredDocumentCodec;
import io.orestes.store.embedded.database.ColumnFamily;
import io.orestes.store.embedded.database.DatabaseSnapshot;
import io.orestes.store.embedded.database.KeyRange;
import io.orestes.store.embedded.database.RocksDatabase;
import io.orestes.store.embedded.index.EmbeddedIndexCatalog;
import io.orestes.store.embedded.index.EmbeddedIndexDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.bson.BsonDocument;

/**
 * The executor of queries on the calling thread, each on one consistent snapshot and with a time
 * limit.
 */
public final class EmbeddedQueryExecutor {

    /**
     * Growth of the radius from one circle to the next. Each has 64 times the area of the one
     * before, so that the last one takes most of the time.
     */
    private static final double CIRCLE_GROWTH = 8;

    private static final double FIRST_CIRCLE_METRES = 500;

    /** Number of circles; the last but one has a radius of 2,000 km. */
    private static final int CIRCLES = 5;

    private final RocksDatabase rocksDatabase;
    private final EmbeddedIndexCatalog catalog;
    private final QueryStatistics statistics;
    private final QueryTimeLimit limit;

    public EmbeddedQueryExecutor(
            RocksDatabase rocksDatabase,
            EmbeddedIndexCatalog catalog,
            QueryStatistics statistics,
            QueryTimeLimit limit) {
        this.rocksDatabase = rocksDatabase;
        this.catalog = catalog;
        this.statistics = statistics;
        this.limit = limit;
    }

    /**
     * Reads a page. May be called several times with one share; each call first releases the bytes
     * of the one before.
     */
    public List<StoredObject> run(StoreQuery query, ResultBudget.PartialResultShare room) {
        if (query.limit() == 0) {
            return List.of();
        }
        Examination examination = new Examination();
        List<EmbeddedIndexDefinition> before = catalog.ready(query.bucket());
        try (DatabaseSnapshot databaseSnapshot = rocksDatabase.openSnapshot()) {
            List<EmbeddedIndexDefinition> indexes = stillReady(before, query.bucket());
            requireIndexed(query.filter(), indexes);
            return new Search(databaseSnapshot, new QueryPlanner(query.bucket(), indexes), examination, room)
                    .find(query).stream().map(StoredDocumentCodec::object).toList();
        }
    }

    public long count(String bucket, Filter filter) {
        AtomicLong matches = new AtomicLong();
        visit(bucket, filter, document -> matches.getAndIncrement());
        return matches.get();
    }

    /** Passes all matching objects to the visitor, in the order of the chosen access path. */
    public void visit(String bucket, Filter filter, Consumer<BsonDocument> visitor) {
        Examination examination = new Examination();
        List<EmbeddedIndexDefinition> before = catalog.ready(bucket);
        try (DatabaseSnapshot databaseSnapshot = rocksDatabase.openSnapshot()) {
            List<EmbeddedIndexDefinition> indexes = stillReady(before, bucket);
            requireIndexed(filter, indexes);
            new QueryPlanner(bucket, indexes)
                    .plan(filter.lookupCondition())
                    .path()
                    .visit(databaseSnapshot, (id, encoded) -> {
                        BsonDocument document = examination.decode(encoded);
                        if (within(() -> filter.matches(document))) {
                            visitor.accept(document);
                        }
                        return true;
                    });
        }
    }

    public List<StoredObject> scan(String bucket, String after, int limit) {
        List<StoredObject> page = new ArrayList<>();
        ObjectDecoder decoder = new ObjectDecoder();
        KeyRange bucketKeys = KeyRange.bucket(bucket);
        KeyRange rest = after.isEmpty() ? bucketKeys : bucketKeys.after(StoredDocumentCodec.key(after));
        try (DatabaseSnapshot databaseSnapshot = rocksDatabase.openSnapshot()) {
            int[] bytes = {0};
            databaseSnapshot.visit(ColumnFamily.OBJECTS, rest, (key, encoded) -> {
                page.add(StoredDocumentCodec.object(decoder.decode(encoded)));
                bytes[0] += encoded.length;
                return page.size() < limit && bytes[0] < ObjectStore.PAGE_BYTES;
            });
        }
        return page;
    }

    /**
     * Returns the indexes that were ready before the snapshot and still are. An index that became
     * ready in between may be incomplete in the snapshot. One that was dropped in between may be
     * empty.
     */
    private List<EmbeddedIndexDefinition> stillReady(List<EmbeddedIndexDefinition> before, String bucket) {
        List<EmbeddedIndexDefinition> now = catalog.ready(bucket);
        return before.stream().filter(now::contains).toList();
    }

    /**
     * Refuses queries for the nearest objects without a geo index: they would have to measure all
     * objects (protocol, section 10.2).
     */
    private static void requireIndexed(Filter filter, List<EmbeddedIndexDefinition> indexes) {
        filter.nearPath()
                .filter(path -> indexes.stream().noneMatch(index -> index.hasGeoField(path)))
                .ifPresent(path -> {
                    throw new ApiException(
                            ErrorCode.QUERY_NOT_SUPPORTED, "$near and $nearSphere need a geo index on " + path);
                });
    }

    /** Executes a step; fails with an error for the client if one object takes too long. */
    private static boolean within(BooleanSupplier step) {
        try {
            return step.getAsBoolean();
        } catch (BudgetExceededException e) {
            throw new ApiException(ErrorCode.QUERY_NOT_SUPPORTED, e.getMessage());
        }
    }

    /** The examination of objects by one query, within its time limit. */
    private final class Examination {

        private final QueryTimeLimit.QueryTimer run = limit.start();
        private final ObjectDecoder decoder = new ObjectDecoder();

        BsonDocument decode(byte[] encoded) {
            run.check();
            statistics.objectExamined();
            return decoder.decode(encoded);
        }
    }

    /** One query on one snapshot. */
    private final class Search {

        private final DatabaseSnapshot databaseSnapshot;
        private final QueryPlanner queryPlanner;
        private final Examination examination;
        private final ResultBudget.PartialResultShare room;

        Search(
                DatabaseSnapshot databaseSnapshot,
                QueryPlanner queryPlanner,
                Examination examination,
                ResultBudget.PartialResultShare room) {
            this.room = room;
            this.databaseSnapshot = databaseSnapshot;
            this.queryPlanner = queryPlanner;
            this.examination = examination;
        }

        /**
         * Finds a page. Looks for the nearest objects in growing circles, until there are enough.
         */
        List<BsonDocument> find(StoreQuery query) {
            boolean isNearest = SortOrder.nearest(query.filter())
                    .filter(query.sort()::equals)
                    .isPresent();
            for (int i = 0; isNearest && i < CIRCLES; i++) {
                double metres = FIRST_CIRCLE_METRES * Math.pow(CIRCLE_GROWTH, i);
                Optional<Filter> nearer = query.filter().nearerThan(metres);
                List<BsonDocument> page = nearer.isPresent()
                        ? page(query.withFilter(nearer.get())).toList()
                        : List.of();
                if (page.size() == query.limit()) {
                    return page;
                }
            }
            return page(query).toList();
        }

        private PageCollector page(StoreQuery query) {
            QueryPlanner.QueryPlan plan = queryPlanner.plan(query.filter().lookupCondition());
            if (plan.path().isOrderedById() && query.sort().isById()) {
                return filled(plan, query, PageCollector.ofOrdered(query, room));
            }
            return queryPlanner
                    .ordered(query, plan.rank())
                    .flatMap(path -> inOrder(path, query))
                    .orElseGet(() -> filled(plan, query, PageCollector.ofUnordered(query, room)));
        }

        private Optional<PageCollector> inOrder(OrderedIndexScan path, StoreQuery query) {
            PageCollector.UnorderedPageCollector pageCollector = PageCollector.ofUnordered(query, room);
            return path.scan(databaseSnapshot, new PageTaker(query.filter(), pageCollector))
                    ? Optional.of(pageCollector)
                    : Optional.empty();
        }

        private PageCollector filled(QueryPlanner.QueryPlan plan, StoreQuery query, PageCollector pageCollector) {
            plan.path().visit(databaseSnapshot, (id, encoded) -> {
                BsonDocument document = examination.decode(encoded);
                return within(() -> !query.filter().matches(document) || pageCollector.add(document));
            });
            return pageCollector;
        }

        private final class PageTaker implements OrderedIndexScan.ScanConsumer {

            private final Filter filter;
            private final PageCollector.UnorderedPageCollector pageCollector;

            PageTaker(Filter filter, PageCollector.UnorderedPageCollector pageCollector) {
                this.filter = filter;
                this.pageCollector = pageCollector;
            }

            @Override
            public BsonDocument examine(byte[] encoded) {
                return examination.decode(encoded);
            }

            @Override
            public boolean matches(BsonDocument document) {
                return within(() -> filter.matches(document));
            }

            @Override
            public boolean offer(BsonDocument match) {
                return within(() -> pageCollector.offer(match));
            }

            @Override
            public boolean isFull() {
                return pageCollector.isFull();
            }
        }
    }
}
