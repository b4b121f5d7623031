package io.orestes.store.embedded;

import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.Filter;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.StoredObject;
import io.orestes.store.ObjectStore;
import io.orestes.store.ResultRoom;
import io.orestes.store.StoreQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.bson.BsonDocument;

/** Runs queries on the calling thread, each on one consistent view of the database and within the limit. */
final class Queries {

    /** From one circle to the next it has 64 times the area, so that the last one takes most of the time. */
    private static final double CIRCLE_GROWTH = 8;

    private static final double FIRST_CIRCLE_METRES = 500;

    /** The last but one has a radius of 2,000 km. */
    private static final int CIRCLES = 5;

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

    /** May be called several times with one part, which what was read before is then no part of. */
    List<StoredObject> run(StoreQuery query, ResultRoom.Part room) {
        if (query.limit() == 0) {
            return List.of();
        }
        Examination examination = new Examination();
        List<IndexDefinition> before = catalog.ready(query.bucket());
        try (View view = database.view()) {
            List<IndexDefinition> indexes = stillReady(before, query.bucket());
            requireIndexed(query.filter(), indexes);
            return new Search(view, new Planner(query.bucket(), indexes), examination, room)
                    .find(query).stream().map(Documents::object).toList();
        }
    }

    long count(String bucket, Filter filter) {
        AtomicLong matches = new AtomicLong();
        visit(bucket, filter, document -> matches.getAndIncrement());
        return matches.get();
    }

    /** Hands over what matches, in the order of whichever path finds it. */
    void visit(String bucket, Filter filter, Consumer<BsonDocument> visitor) {
        Examination examination = new Examination();
        List<IndexDefinition> before = catalog.ready(bucket);
        try (View view = database.view()) {
            List<IndexDefinition> indexes = stillReady(before, bucket);
            requireIndexed(filter, indexes);
            new Planner(bucket, indexes).plan(filter.lookups()).path().visit(view, (id, encoded) -> {
                BsonDocument document = examination.decode(encoded);
                if (within(() -> filter.matches(document))) {
                    visitor.accept(document);
                }
                return true;
            });
        }
    }

    List<StoredObject> scan(String bucket, String after, int limit) {
        List<StoredObject> page = new ArrayList<>();
        ObjectDecoder decoder = new ObjectDecoder();
        KeyRange bucketKeys = KeyRange.bucket(bucket);
        KeyRange rest = after.isEmpty() ? bucketKeys : bucketKeys.after(Documents.key(after));
        try (View view = database.view()) {
            int[] bytes = {0};
            view.visit(Family.OBJECTS, rest, (key, encoded) -> {
                page.add(Documents.object(decoder.decode(encoded)));
                bytes[0] += encoded.length;
                return page.size() < limit && bytes[0] < ObjectStore.PAGE_BYTES;
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

    /** The nearest objects are only looked for where that can be done without measuring all (protocol, section 10.2). */
    private static void requireIndexed(Filter filter, List<IndexDefinition> indexes) {
        filter.nearPath()
                .filter(path -> indexes.stream().noneMatch(index -> index.hasPlaces(path)))
                .ifPresent(path -> {
                    throw new ApiException(
                            ErrorCode.QUERY_NOT_SUPPORTED, "$near and $nearSphere need a geo index on " + path);
                });
    }

    /** Fails as clients are told of it if one object takes too long. */
    private static boolean within(BooleanSupplier step) {
        try {
            return step.getAsBoolean();
        } catch (BudgetExceededException e) {
            throw new ApiException(ErrorCode.QUERY_NOT_SUPPORTED, e.getMessage());
        }
    }

    /** The objects that one query looks at, within its time. */
    private final class Examination {

        private final RunLimit.Run run = limit.start();
        private final ObjectDecoder decoder = new ObjectDecoder();

        BsonDocument decode(byte[] encoded) {
            run.check();
            statistics.objectExamined();
            return decoder.decode(encoded);
        }
    }

    /** One query on one view. */
    private final class Search {

        private final View view;
        private final Planner planner;
        private final Examination examination;
        private final ResultRoom.Part room;

        Search(View view, Planner planner, Examination examination, ResultRoom.Part room) {
            this.room = room;
            this.view = view;
            this.planner = planner;
            this.examination = examination;
        }

        /** The nearest are looked for in growing circles, until there are enough. */
        List<BsonDocument> find(StoreQuery query) {
            boolean isNearest =
                    query.filter().order().filter(query.sort()::equals).isPresent();
            for (int i = 0; isNearest && i < CIRCLES; i++) {
                double metres = FIRST_CIRCLE_METRES * Math.pow(CIRCLE_GROWTH, i);
                Optional<Filter> nearer = query.filter().nearerThan(metres);
                List<BsonDocument> page =
                        nearer.isPresent() ? page(query.with(nearer.get())).toList() : List.of();
                if (page.size() == query.limit()) {
                    return page;
                }
            }
            return page(query).toList();
        }

        private Page page(StoreQuery query) {
            Planner.Plan plan = planner.plan(query.filter().lookups());
            if (plan.path().isOrderedById() && query.sort().isById()) {
                return filled(plan, query, Page.ofOrdered(query, room));
            }
            return planner.ordered(query, plan.rank())
                    .flatMap(path -> inOrder(path, query))
                    .orElseGet(() -> filled(plan, query, Page.ofUnordered(query, room)));
        }

        private Optional<Page> inOrder(OrderedPath path, StoreQuery query) {
            Page.Unordered page = Page.ofUnordered(query, room);
            return path.lead(view, new PageTaker(query.filter(), page)) ? Optional.of(page) : Optional.empty();
        }

        private Page filled(Planner.Plan plan, StoreQuery query, Page page) {
            plan.path().visit(view, (id, encoded) -> {
                BsonDocument document = examination.decode(encoded);
                return within(() -> !query.filter().matches(document) || page.add(document));
            });
            return page;
        }

        private final class PageTaker implements OrderedPath.Taker {

            private final Filter filter;
            private final Page.Unordered page;

            PageTaker(Filter filter, Page.Unordered page) {
                this.filter = filter;
                this.page = page;
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
            public boolean keep(BsonDocument match) {
                return within(() -> page.keep(match));
            }

            @Override
            public boolean isFull() {
                return page.isFull();
            }
        }
    }
}
