package io.orestes.store.mongo.read;

import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.FindPublisher;
import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.filter.Filter;
import io.invalidb.query.sort.SortOrder;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.StoredObject;
import io.orestes.store.ResultBudget;
import io.orestes.store.StoreQuery;
import io.orestes.store.TopKMatches;
import io.orestes.store.mongo.document.MongoCollections;
import io.orestes.store.mongo.driver.MongoErrors;
import io.orestes.store.mongo.index.DeclaredIndexCatalog;
import io.orestes.store.mongo.index.WordHashes;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/**
 * The executor of queries, which evaluates itself those that MongoDB cannot. MongoDB evaluates
 * filters and orders. The executor searches words itself, among the objects that MongoDB finds by
 * the rest of the filter and by the index of words. It evaluates filters that MongoDB does not
 * understand on all objects of the class.
 */
public final class MongoQueryExecutor {

    /** Maximum skip in MongoDB. */
    private static final int MAX_SKIPPED = Integer.MAX_VALUE;

    private final DeclaredIndexCatalog catalog;
    private final CommittedDocumentReader reader;
    private final Duration budget;

    /** Creates the executor of one database, or of one session. */
    public MongoQueryExecutor(DeclaredIndexCatalog catalog, CommittedDocumentReader reader) {
        this.catalog = catalog;
        this.reader = reader;
        this.budget = reader.budget();
    }

    /** Returns an executor of reads in a session, which no other query uses at the same time. */
    public MongoQueryExecutor in(ClientSession session) {
        return new MongoQueryExecutor(catalog, reader.in(session));
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
                        .orElseGet(() -> reader.eachObject(bucket, found(bucket, filter), noting)),
                () -> hasBegun[0]
                        ? Future.failedFuture(MongoErrors.unavailable("MongoDB interrupted a visit"))
                        : eachMatch(bucket, filter, Filter.ALL, visitor));
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

    private FindPublisher<BsonDocument> found(String bucket, Filter filter) {
        return reader.find(bucket, filter.normalForm());
    }

    private Future<List<StoredObject>> pageOf(StoreQuery query, ResultBudget.PartialResultShare room) {
        if (isByDistance(query)) {
            return nearest(query, room);
        }
        return candidates(query.bucket(), query.filter())
                .map(some -> searched(query, some, room))
                .orElseGet(() -> page(query, room));
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
        return reader.each(query.bucket(), found, page -> reader.runBlocking(() -> hits.take(page)))
                .compose(read -> reader.objects(query.bucket(), hits.page));
    }

    private Future<List<StoredObject>> page(StoreQuery query, ResultBudget.PartialResultShare room) {
        FindPublisher<BsonDocument> page = found(query.bucket(), query.filter())
                .sort(withTies(query.sort().toBson()))
                .skip((int) query.skip())
                .limit(query.limit() == StoreQuery.UNLIMITED ? 0 : query.limit());
        List<BsonDocument> read = new ArrayList<>();
        room.clear();
        return reader.each(query.bucket(), page, some -> {
                    some.forEach(room::add);
                    read.addAll(some);
                    return Future.succeededFuture(true);
                })
                .compose(done -> reader.objects(query.bucket(), read));
    }

    /**
     * Reads the page of the nearest objects. MongoDB returns them by distance, but equally near
     * ones in no order, so all of those are fetched and sorted.
     */
    private Future<List<StoredObject>> nearest(StoreQuery query, ResultBudget.PartialResultShare room) {
        TopKMatches first = new TopKMatches(query, room);
        long wanted = Math.min(reader.batchSize(query.bucket()), query.skip() + query.limit() + 1);
        FindPublisher<BsonDocument> found =
                found(query.bucket(), query.filter()).batchSize((int) wanted);
        return reader.each(
                        query.bucket(),
                        found,
                        page -> Future.succeededFuture(
                                page.stream().allMatch(document -> takesNext(first, document, query.sort()))))
                .compose(read -> reader.objects(query.bucket(), first.toList()));
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
    private static void offer(TopKMatches first, BsonDocument match) {
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
                        .flatMap(document -> reader.provisional(query.bucket(), document).stream())
                        .toList());
    }

    private Future<Long> countFound(String bucket, Filter filter) {
        if (filter.nearPath().isPresent()) {
            return counted(counting -> reader.eachObject(bucket, found(bucket, filter), counting));
        }
        return candidates(bucket, filter)
                .map(some -> countMatches(bucket, filter, some))
                .orElseGet(() -> reader.count(bucket, filter.normalForm()));
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
        return reader.eachObject(bucket, found(bucket, candidates), object -> {
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

    private static boolean isByDistance(StoreQuery query) {
        return SortOrder.nearest(query.filter()).filter(query.sort()::equals).isPresent();
    }

    private static BsonDocument withTies(BsonDocument sort) {
        return sort.containsKey(StoredObject.ID) ? sort : sort.append(StoredObject.ID, new BsonInt32(1));
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
