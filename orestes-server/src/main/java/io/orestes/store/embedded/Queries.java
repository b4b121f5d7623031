package io.orestes.store.embedded;

import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.Filter;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.StoredObject;
import io.orestes.store.StoreQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.bson.BsonDocument;

/** Runs queries on the calling thread, each on one consistent view of the database and within the limit. */
final class Queries {

    private final Database database;
    private final IndexCatalog catalog;
    private final QueryStatistics statistics;
    private final RunLimit limit;

    Queries(Database database, IndexCatalog catalog, QueryStatistics statistics, RunLimit limit) {
        this.database = database;
        this.catalog = catalog;
        this.statistics = statistics;
        this.limit = limit;
    }

    List<StoredObject> run(StoreQuery query) {
        if (query.limit() == 0) {
            return List.of();
        }
        RunLimit.Run run = limit.start();
        List<IndexDefinition> before = catalog.ready(query.bucket());
        try (View view = database.view()) {
            AccessPath path = Planner.plan(query.bucket(), query.filter(), stillReady(before, query.bucket()));
            Page page = pageFor(query, path);
            path.visit(view, encoded -> {
                BsonDocument document = examine(encoded, run);
                return within(() -> !query.filter().matches(document) || page.add(document));
            });
            return page.toList().stream().map(Documents::object).toList();
        }
    }

    long count(String bucket, Filter filter) {
        AtomicLong matches = new AtomicLong();
        visit(bucket, filter, document -> matches.getAndIncrement());
        return matches.get();
    }

    /** Hands over what matches, in the order of whichever path finds it. */
    void visit(String bucket, Filter filter, Consumer<BsonDocument> visitor) {
        RunLimit.Run run = limit.start();
        List<IndexDefinition> before = catalog.ready(bucket);
        try (View view = database.view()) {
            Planner.plan(bucket, filter, stillReady(before, bucket)).visit(view, encoded -> {
                BsonDocument document = examine(encoded, run);
                if (within(() -> filter.matches(document))) {
                    visitor.accept(document);
                }
                return true;
            });
        }
    }

    List<StoredObject> scan(String bucket, String after, int limit) {
        List<StoredObject> page = new ArrayList<>();
        KeyRange bucketKeys = KeyRange.bucket(bucket);
        KeyRange rest = after.isEmpty() ? bucketKeys : bucketKeys.after(Documents.key(after));
        try (View view = database.view()) {
            view.visit(Family.OBJECTS, rest, (key, encoded) -> {
                page.add(Documents.object(Documents.decode(encoded)));
                return page.size() < limit;
            });
        }
        return page;
    }

    /**
     * The indexes that were ready before the view was made and still are. One that became ready in between may not be
     * full in the view, one that was dropped in between may be empty.
     */
    private List<IndexDefinition> stillReady(List<IndexDefinition> before, String bucket) {
        List<IndexDefinition> now = catalog.ready(bucket);
        return before.stream().filter(now::contains).toList();
    }

    private static Page pageFor(StoreQuery query, AccessPath path) {
        return path.isOrderedById() && query.sort().isById()
                ? Page.ofOrdered(query.skip(), query.limit())
                : Page.ofUnordered(query.sort(), query.skip(), query.limit());
    }

    /** Fails as clients are told of it if one object takes too long. */
    private static boolean within(BooleanSupplier step) {
        try {
            return step.getAsBoolean();
        } catch (BudgetExceededException e) {
            throw new ApiException(ErrorCode.QUERY_NOT_SUPPORTED, e.getMessage());
        }
    }

    private BsonDocument examine(byte[] encoded, RunLimit.Run run) {
        run.check();
        statistics.objectExamined();
        return Documents.decode(encoded);
    }
}
