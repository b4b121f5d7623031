package io.orestes.store.mongo.read;

import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.FindPublisher;
import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.filter.Filter;
import io.invalidb.query.sort.SortOrder;
import io.invalidb.query.value.HeapSize;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.StoredObject;
import io.orestes.store.ObjectStore;
import io.orestes.store.ResultBudget;
import io.orestes.store.StoreQuery;
import io.orestes.store.TopKMatches;
import io.orestes.store.mongo.document.DocumentIds;
import io.orestes.store.mongo.document.DocumentNormalizer;
import io.orestes.store.mongo.document.MongoCollections;
import io.orestes.store.mongo.driver.MongoErrors;
import io.orestes.store.mongo.driver.PublisherAdapter;
import io.orestes.store.mongo.driver.PublisherAdapter.PageLimits;
import io.orestes.store.mongo.index.MongoIndexCatalog;
import io.orestes.store.mongo.index.WordHashes;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.conversions.Bson;

/**
 * The executor of queries, which evaluates itself those that MongoDB cannot. MongoDB evaluates
 * filters and orders. The executor searches words itself, among the objects that MongoDB finds by
 * the rest of the filter and by the index of words. It evaluates filters that MongoDB does not
 * understand on all objects of the class.
 */
public final class MongoQueryExecutor {

    private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();
    private static final int PAGE_SIZE = 256;
    private static final Bson WITHOUT_WORDS = Projections.exclude(MongoCollections.WORDS);

    /** Maximum skip in MongoDB. */
    private static final int MAX_SKIPPED = Integer.MAX_VALUE;

    private final MongoCollections mongoCollections;
    private final ReadCommands commands;
    private final PublisherAdapter publisherAdapter;
    private final MongoIndexCatalog catalog;
    private final DocumentNormalizer documentNormalizer;
    private final WorkerExecutor workers;
    private final Duration budget;
    private final BatchSizeEstimator batches;

    /** Empty in a session, which is that of one query. */
    private final Optional<QueryBatcher> gathered;

    /**
     * Creates the executor of one database.
     *
     * @param home context of the store, on which {@link #run} is called
     * @param workers threads that call visitors and evaluate filters
     */
    public MongoQueryExecutor(
            Context home,
            MongoCollections mongoCollections,
            PublisherAdapter publisherAdapter,
            MongoIndexCatalog catalog,
            DocumentNormalizer documentNormalizer,
            WorkerExecutor workers,
            Duration budget) {
        this.mongoCollections = mongoCollections;
        this.commands = ReadCommands.of(mongoCollections, publisherAdapter);
        this.publisherAdapter = publisherAdapter;
        this.catalog = catalog;
        this.documentNormalizer = documentNormalizer;
        this.workers = workers;
        this.budget = budget;
        this.batches = new BatchSizeEstimator(PAGE_SIZE);
        this.gathered = Optional.of(
                new QueryBatcher(home, catalog, publisherAdapter, documentNormalizer, this::found, this::page, budget));
    }

    private MongoQueryExecutor(MongoQueryExecutor outside, ClientSession session) {
        this.mongoCollections = outside.mongoCollections;
        this.commands = ReadCommands.in(session, mongoCollections, outside.publisherAdapter);
        this.publisherAdapter = outside.publisherAdapter;
        this.catalog = outside.catalog;
        this.documentNormalizer = outside.documentNormalizer;
        this.workers = outside.workers;
        this.budget = outside.budget;
        this.batches = outside.batches;
        this.gathered = Optional.empty();
    }

    /** Returns an executor of reads in a session, which no other query uses at the same time. */
    public MongoQueryExecutor in(ClientSession session) {
        return new MongoQueryExecutor(this, session);
    }

    /**
     * Reads a page. May be called several times with one share; each call first releases the bytes
     * of the one before.
     */
    public Future<List<StoredObject>> run(StoreQuery query, ResultBudget.PartialResultShare room) {
        if (query.limit() == 0 || query.skip() > MAX_SKIPPED) {
            return Future.succeededFuture(List.of());
        }
        return evaluate(query.bucket(), query.filter(), () -> pageOf(query, room), () -> pageOfAll(query, room));
    }

    public Future<Long> count(String bucket, Filter filter) {
        return evaluate(
                bucket, filter, () -> countFound(bucket, filter), () -> countMatches(bucket, filter, Filter.ALL));
    }

    public Future<Void> visit(String bucket, Filter filter, Consumer<StoredObject> visitor) {
        boolean[] hasBegun = {false};
        Consumer<StoredObject> noting = object -> {
            hasBegun[0] = true;
            visitor.accept(object);
        };
        return evaluate(
                bucket,
                filter,
                () -> candidates(bucket, filter)
                        .map(some -> eachMatch(bucket, filter, some, noting))
                        .orElseGet(() -> eachObject(bucket, found(bucket, filter), noting)),
                () -> hasBegun[0]
                        ? Future.failedFuture(MongoErrors.unavailable("MongoDB interrupted a visit"))
                        : eachMatch(bucket, filter, Filter.ALL, visitor));
    }

    public Future<List<StoredObject>> scan(String bucket, String after, int limit) {
        String begin = "/db/" + bucket + "/";
        String key = after.startsWith(begin) ? after.substring(begin.length()) : "";
        Bson ours = Filters.and(
                Filters.gt(StoredObject.ID, after.isEmpty() ? begin : after),
                Filters.lt(StoredObject.ID, "/db/" + bucket + "0"));
        return scan(bucket, ours, limit).compose(page -> scan(bucket, DocumentIds.foreignAfter(key), limit)
                .map(others -> merged(page, others, limit)));
    }

    /**
     * Merges two parts that begin after the same id string. Each ends where it is full, and objects
     * of the other after that position are left to later pages.
     */
    private static List<StoredObject> merged(ScannedPart ours, ScannedPart others, int limit) {
        Comparator<StoredObject> byId =
                Comparator.comparing(object -> object.ref().id());
        return Stream.of(ours, others)
                .flatMap(scanned -> scanned.objects().stream())
                .filter(object -> ours.reaches(object) && others.reaches(object))
                .sorted(byId)
                .limit(limit)
                .toList();
    }

    private Future<ScannedPart> scan(String bucket, Bson condition, int limit) {
        FindPublisher<RawBsonDocument> rest = mongoCollections
                .committed(bucket)
                .withDocumentClass(RawBsonDocument.class)
                .find(condition)
                .sort(Sorts.ascending(StoredObject.ID))
                .limit(limit)
                .batchSize(batches.of(bucket));
        List<RawBsonDocument> page = new ArrayList<>();
        int[] bytes = {0};
        return publisherAdapter
                .each(
                        rest,
                        PageLimits.bySize(PAGE_SIZE, ObjectStore.PAGE_BYTES, MongoQueryExecutor::length),
                        (some, size) -> Future.succeededFuture(take(some, page, bytes)))
                .compose(read -> workers.executeBlocking(
                        () -> page.stream().map(MongoQueryExecutor::decode).toList(), false))
                .compose(documents -> documentNormalizer.objects(bucket, documents))
                .map(objects -> new ScannedPart(objects, page.size() < limit && bytes[0] < ObjectStore.PAGE_BYTES));
    }

    /**
     * A part of the objects of a class, in the order of their ids.
     *
     * @param isAll whether there are no more of these
     */
    private record ScannedPart(List<StoredObject> objects, boolean isAll) {

        /** True if the part contains all its objects up to that one. */
        private boolean reaches(StoredObject object) {
            return isAll
                    || (!objects.isEmpty()
                            && object.ref()
                                            .id()
                                            .compareTo(objects.get(objects.size() - 1)
                                                    .ref()
                                                    .id())
                                    <= 0);
        }
    }

    /** Evaluates a filter in MongoDB, or in this process if MongoDB does not understand it. */
    private <T> Future<T> evaluate(String bucket, Filter filter, Supplier<Future<T>> there, Supplier<Future<T>> here) {
        requireIndexed(bucket, filter);
        return there.get()
                .recover(failure -> MongoErrors.isCommandError(failure) ? here.get() : Future.failedFuture(failure));
    }

    private void requireIndexed(String bucket, Filter filter) {
        filter.nearPath().filter(path -> !catalog.hasGeoIndex(bucket, path)).ifPresent(path -> {
            throw new ApiException(ErrorCode.QUERY_NOT_SUPPORTED, "$near and $nearSphere need a geo index on " + path);
        });
    }

    /**
     * Returns the filter of candidates where MongoDB cannot evaluate the whole filter: objects that
     * may match a search of words, or all objects for a filter that depends on whole documents,
     * which contain hidden fields. Empty for other filters.
     */
    private Optional<Filter> candidates(String bucket, Filter filter) {
        if (WholeDocumentFilterDetector.dependsOnWholeDocument(filter.normalForm())) {
            return Optional.of(Filter.ALL);
        }
        return filter.withoutSearch(words -> catalog.textIndex(bucket)
                .map(index -> WordHashes.anyOf(index.wordsPath(), words))
                .orElse(Filter.ALL));
    }

    /** Finds documents without their words, which may be as long as the rest of an object. */
    private FindPublisher<BsonDocument> found(String bucket, BsonDocument filter) {
        return commands.find(bucket, filter)
                .projection(
                        catalog.textIndex(bucket).map(index -> WITHOUT_WORDS).orElse(null))
                .batchSize(batches.of(bucket))
                .maxTime(budget.toMillis(), TimeUnit.MILLISECONDS);
    }

    private FindPublisher<BsonDocument> found(String bucket, Filter filter) {
        return found(bucket, filter.normalForm());
    }

    private Future<List<StoredObject>> pageOf(StoreQuery query, ResultBudget.PartialResultShare room) {
        if (isByDistance(query)) {
            return nearest(query, room);
        }
        return candidates(query.bucket(), query.filter())
                .map(some -> searched(query, some, room))
                .orElseGet(
                        () -> gathered.filter(some -> query.filter().nearPath().isEmpty())
                                .map(some -> some.page(query, room))
                                .orElseGet(() -> page(query, room, budget)));
    }

    /**
     * Reads a page of a search. Candidates come in order, so that the page ends at the first match
     * after it, and the matches before it need no memory.
     */
    private Future<List<StoredObject>> searched(
            StoreQuery query, Filter candidates, ResultBudget.PartialResultShare room) {
        SearchPage hits = new SearchPage(query, room);
        FindPublisher<BsonDocument> found =
                found(query.bucket(), candidates).sort(withTies(query.sort().toBson()));
        return each(query.bucket(), found, page -> workers.executeBlocking(() -> hits.take(page), false))
                .compose(read -> documentNormalizer.objects(query.bucket(), hits.page));
    }

    private Future<List<StoredObject>> page(StoreQuery query, ResultBudget.PartialResultShare room, Duration longest) {
        FindPublisher<BsonDocument> page = found(query.bucket(), query.filter())
                .maxTime(longest.toMillis(), TimeUnit.MILLISECONDS)
                .sort(withTies(query.sort().toBson()))
                .skip((int) query.skip())
                .limit(query.limit() == StoreQuery.UNLIMITED ? 0 : query.limit());
        List<BsonDocument> read = new ArrayList<>();
        room.clear();
        return each(query.bucket(), page, some -> {
                    some.forEach(room::add);
                    read.addAll(some);
                    return Future.succeededFuture(true);
                })
                .compose(done -> documentNormalizer.objects(query.bucket(), read));
    }

    /**
     * Reads the page of the nearest objects. MongoDB returns them by distance, but equally near
     * ones in no order, so all of those are fetched and sorted.
     */
    private Future<List<StoredObject>> nearest(StoreQuery query, ResultBudget.PartialResultShare room) {
        TopKMatches first = new TopKMatches(query, room);
        long wanted = Math.min(batches.of(query.bucket()), query.skip() + query.limit() + 1);
        FindPublisher<BsonDocument> found =
                found(query.bucket(), query.filter()).batchSize((int) wanted);
        return each(
                        query.bucket(),
                        found,
                        page -> Future.succeededFuture(
                                page.stream().allMatch(document -> takesNext(first, document, query.sort()))))
                .compose(read -> documentNormalizer.objects(query.bucket(), first.toList()));
    }

    /**
     * Adds the next object in order; returns true if later ones may be as near as the last of the
     * page.
     */
    private static boolean takesNext(TopKMatches first, BsonDocument document, SortOrder nearest) {
        boolean isOpen = within(() -> !first.isFull() || isAsNear(first.last(), document, nearest));
        if (isOpen) {
            offer(first, document);
        }
        return isOpen;
    }

    /**
     * Adds a match of a query; fails with an error for the client if its comparison takes too long.
     */
    static void offer(TopKMatches first, BsonDocument match) {
        boolean unused = within(() -> first.offer(match));
    }

    /**
     * True if both are equally near: equal places are ordered by their ids, so that a smaller and a
     * larger id change the comparison.
     */
    private static boolean isAsNear(BsonDocument one, BsonDocument other, SortOrder nearest) {
        return nearest.compare(withId(one, "z"), withId(other, "a")) > 0;
    }

    private static BsonDocument withId(BsonDocument document, String id) {
        BsonDocument copy = new BsonDocument();
        copy.putAll(document);
        return copy.append(StoredObject.ID, new BsonString(id));
    }

    private Future<List<StoredObject>> pageOfAll(StoreQuery query, ResultBudget.PartialResultShare room) {
        TopKMatches first = new TopKMatches(query, room);
        return eachMatch(query.bucket(), query.filter(), Filter.ALL, object -> offer(first, object.document()))
                .map(read -> first.toList().stream()
                        .flatMap(document -> documentNormalizer.provisional(query.bucket(), document).stream())
                        .toList());
    }

    private Future<Long> countFound(String bucket, Filter filter) {
        if (filter.nearPath().isPresent()) {
            return counted(counting -> eachObject(bucket, found(bucket, filter), counting));
        }
        return candidates(bucket, filter)
                .map(some -> countMatches(bucket, filter, some))
                .orElseGet(() -> countThere(bucket, filter));
    }

    private Future<Long> countThere(String bucket, Filter filter) {
        CountOptions within = new CountOptions().maxTime(budget.toMillis(), TimeUnit.MILLISECONDS);
        return commands.count(bucket, filter.normalForm(), within);
    }

    private Future<Long> countMatches(String bucket, Filter filter, Filter candidates) {
        return counted(counting -> eachMatch(bucket, filter, candidates, counting));
    }

    private static Future<Long> counted(Function<Consumer<StoredObject>, Future<Void>> reading) {
        AtomicLong count = new AtomicLong();
        return reading.apply(object -> count.incrementAndGet()).map(read -> count.get());
    }

    /** Evaluates a filter in this process, on the candidates that MongoDB finds. */
    private Future<Void> eachMatch(String bucket, Filter filter, Filter candidates, Consumer<StoredObject> action) {
        Predicate<BsonDocument> matching = matching(filter);
        return eachObject(bucket, found(bucket, candidates), object -> {
            if (matching.test(object.document())) {
                action.accept(object);
            }
        });
    }

    /**
     * Returns a predicate that tests documents one after the other; fails as soon as that takes too
     * long for a query.
     */
    private Predicate<BsonDocument> matching(Filter filter) {
        long end = System.nanoTime() + budget.toNanos();
        return document -> {
            if (System.nanoTime() - end > 0) {
                throw MongoErrors.tooLong(budget);
            }
            return within(() -> filter.matches(document));
        };
    }

    /** Executes a step; fails with an error for the client if one object takes too long. */
    private static boolean within(BooleanSupplier step) {
        try {
            return step.getAsBoolean();
        } catch (BudgetExceededException e) {
            throw new ApiException(ErrorCode.QUERY_NOT_SUPPORTED, String.valueOf(e.getMessage()));
        }
    }

    private Future<Void> eachObject(String bucket, FindPublisher<BsonDocument> found, Consumer<StoredObject> action) {
        return each(
                bucket,
                found,
                page -> workers.executeBlocking(
                        () -> {
                            page.forEach(document -> documentNormalizer
                                    .provisional(bucket, document)
                                    .ifPresent(action));
                            return true;
                        },
                        false));
    }

    /**
     * Reads page by page. Where objects are large, a page is limited by its bytes instead of its
     * number.
     */
    private Future<Void> each(
            String bucket, FindPublisher<BsonDocument> found, Function<List<BsonDocument>, Future<Boolean>> action) {
        return publisherAdapter.each(
                found, PageLimits.bySize(PAGE_SIZE, ObjectStore.PAGE_BYTES, HeapSize::of), (page, bytes) -> {
                    batches.observe(bucket, page.size(), bytes);
                    return action.apply(page);
                });
    }

    private static boolean take(List<RawBsonDocument> some, List<RawBsonDocument> page, int[] bytes) {
        for (RawBsonDocument document : some) {
            if (bytes[0] >= ObjectStore.PAGE_BYTES) {
                return false;
            }
            bytes[0] += length(document);
            page.add(document);
        }
        return bytes[0] < ObjectStore.PAGE_BYTES;
    }

    private static int length(RawBsonDocument document) {
        return document.getByteBuffer().remaining();
    }

    private static boolean isByDistance(StoreQuery query) {
        return SortOrder.nearest(query.filter()).filter(query.sort()::equals).isPresent();
    }

    private static BsonDocument withTies(BsonDocument sort) {
        return sort.containsKey(StoredObject.ID) ? sort : sort.append(StoredObject.ID, new BsonInt32(1));
    }

    private static BsonDocument decode(RawBsonDocument document) {
        return document.decode(CODEC);
    }

    /** The matches on the page of a query, among candidates that come in order. */
    private final class SearchPage {

        private final StoreQuery query;
        private final ResultBudget.PartialResultShare room;
        private final Predicate<BsonDocument> matching;
        private final List<BsonDocument> page = new ArrayList<>();
        private long before = 0;

        private SearchPage(StoreQuery query, ResultBudget.PartialResultShare room) {
            this.query = query;
            this.room = room;
            this.matching = matching(query.filter());
            room.clear();
        }

        /** Tests more candidates; returns true if the page is not full yet. */
        private boolean take(List<BsonDocument> candidates) {
            for (BsonDocument candidate : candidates) {
                MongoCollections.HIDDEN_FIELDS.forEach(candidate::remove);
                if (matching.test(candidate)) {
                    hit(candidate);
                }
                if (page.size() >= query.limit()) {
                    return false;
                }
            }
            return true;
        }

        private void hit(BsonDocument match) {
            if (before < query.skip()) {
                before++;
            } else {
                room.add(match);
                page.add(match);
            }
        }
    }
}
