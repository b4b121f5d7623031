package io.orestes.store.mongo;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.mongodb.reactivestreams.client.FindPublisher;
import io.invalidb.query.Filter;
import io.invalidb.query.HeapSize;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.StoredObject;
import io.orestes.store.FirstMatches;
import io.orestes.store.ResultRoom;
import io.orestes.store.StoreQuery;
import io.orestes.store.mongo.Gathering.Asked;
import io.orestes.store.mongo.Publishers.Paging;
import io.vertx.core.CompositeFuture;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * Queries that differ in the value of one field only, and are asked for while MongoDB is busy with others: they share a request, which
 * finds what has any of the values, and each takes what has its own. What they find together is small; templates of which that turned out
 * not to be so are left alone for a while. Used on the store's context only.
 */
final class GatheredQueries {

    private static final int MOST = 32;

    /** As for changes: MongoDB is never idle with so many under way. */
    private static final int MOST_UNDER_WAY = 4;

    private static final Duration LONGEST = Duration.ofMillis(20);

    /** More objects, or bytes, are no result of small queries. */
    private static final int MOST_OBJECTS = 1_000;

    private static final long MOST_BYTES = 2 << 20;

    /** Of its time a query has so little together with others, since all of them may have to go alone with what is left. */
    private static final int SHARE = 4;

    private static final Duration LEFT_ALONE = Duration.ofMinutes(1);
    private static final int MOST_LEFT_ALONE = 1_000;

    private final IndexCatalog catalog;
    private final Publishers publishers;
    private final Adoption adoption;
    private final BiFunction<String, BsonDocument, FindPublisher<BsonDocument>> finding;
    private final Alone alone;
    private final Duration budget;
    private final Gathering<Question, List<StoredObject>> gathering;
    private final Cache<QueryTemplate, Boolean> large = Caffeine.newBuilder()
            .maximumSize(MOST_LEFT_ALONE)
            .expireAfterWrite(LEFT_ALONE)
            .executor(Runnable::run)
            .build();

    /** Answers one query by a request of its own. */
    interface Alone {

        /**
         * The result of a query.
         *
         * @param longest time that it may run
         */
        Future<List<StoredObject>> answer(StoreQuery query, ResultRoom.Part room, Duration longest);
    }

    /** @param end of its time, by {@link System#nanoTime()} */
    private record Question(StoreQuery query, ResultRoom.Part room, QueryTemplate.Filled filled, long end) {

        private Duration left() {
            return Duration.ofNanos(end - System.nanoTime());
        }
    }

    /**
     * Queries of one database.
     *
     * @param finding what matches a filter in a bucket
     * @param budget time that one query may run, whether together with others, alone, or one after the other
     */
    GatheredQueries(
            Context home,
            IndexCatalog catalog,
            Publishers publishers,
            Adoption adoption,
            BiFunction<String, BsonDocument, FindPublisher<BsonDocument>> finding,
            Alone alone,
            Duration budget) {
        this.catalog = catalog;
        this.publishers = publishers;
        this.adoption = adoption;
        this.finding = finding;
        this.alone = alone;
        this.budget = budget;
        this.gathering = new Gathering<>(home, MOST, MOST_UNDER_WAY, MOST, LONGEST, this::askTogether);
    }

    /** What a query asks for, which is not the nearest of something. */
    Future<List<StoredObject>> page(StoreQuery query, ResultRoom.Part room) {
        return QueryTemplate.of(query, catalog)
                .filter(filled -> large.getIfPresent(filled.template()) == null)
                .map(filled -> gathering.ask(new Question(query, room, filled, System.nanoTime() + budget.toNanos())))
                .orElseGet(() -> alone.answer(query, room, budget));
    }

    private Future<?> askTogether(List<Asked<Question, List<StoredObject>>> asked) {
        return Future.join(
                Gathering.grouped(asked, question -> question.filled().template()).values().stream()
                        .map(group -> group.size() == 1 ? eachAlone(group) : new Together(group).ask())
                        .toList());
    }

    private Future<CompositeFuture> eachAlone(List<Asked<Question, List<StoredObject>>> some) {
        return Future.join(some.stream()
                .map(asked -> alone(asked.what()).onComplete(asked.answer()))
                .toList());
    }

    private Future<List<StoredObject>> alone(Question question) {
        Duration left = question.left();
        return left.toMillis() < 1
                ? Future.failedFuture(Refusals.tooLong(budget))
                : alone.answer(question.query(), question.room(), left);
    }

    /** Questions of one template, in one request. */
    private final class Together {

        private final List<Asked<Question, List<StoredObject>>> group;
        private final QueryTemplate template;
        private final List<Part> parts;
        private final Map<BsonValue, List<Part>> byKey;
        private int objects;
        private long bytes;

        private Together(List<Asked<Question, List<StoredObject>>> group) {
            this.group = group;
            this.template = group.get(0).what().filled().template();
            this.parts = group.stream().map(Part::new).toList();
            this.byKey = parts.stream().collect(Collectors.groupingBy(Part::key));
        }

        private Future<CompositeFuture> ask() {
            return publishers
                    .each(all(), Paging.bySize(MOST_OBJECTS + 1, MOST_BYTES, HeapSize::of), this::divide)
                    .compose(read -> isLarge() ? eachAlone() : answer(), this::explain);
        }

        private FindPublisher<BsonDocument> all() {
            List<BsonValue> values = group.stream()
                    .map(asked -> asked.what().filled().value())
                    .distinct()
                    .toList();
            return finding.apply(template.bucket(), template.withAnyOf(values))
                    .limit(MOST_OBJECTS + 1)
                    .batchSize(MOST_OBJECTS + 1)
                    .maxTime(Math.max(1, budget.toMillis() / SHARE), TimeUnit.MILLISECONDS);
        }

        /** Some documents more, for those who look for them; whether they still are few. */
        private Future<Boolean> divide(List<BsonDocument> documents, long size) {
            objects += documents.size();
            bytes += size;
            if (!isLarge()) {
                documents.forEach(this::give);
            }
            return Future.succeededFuture(!isLarge());
        }

        /** One plain value, as nearly all have, is found without looking at all parts. */
        private void give(BsonDocument document) {
            template.keyOf(document)
                    .map(key -> byKey.getOrDefault(key, List.of()).stream())
                    .orElseGet(() -> parts.stream().filter(part -> part.matches(document)))
                    .forEach(part -> part.take(document));
        }

        private boolean isLarge() {
            return objects > MOST_OBJECTS || bytes > MOST_BYTES;
        }

        private Future<CompositeFuture> answer() {
            return Future.join(parts.stream().map(Part::answer).toList());
        }

        private Future<CompositeFuture> explain(Throwable failure) {
            return isOfServer(failure) ? fail(failure) : eachAlone();
        }

        private Future<CompositeFuture> eachAlone() {
            large.put(template, true);
            return GatheredQueries.this.eachAlone(group);
        }

        private Future<CompositeFuture> fail(Throwable failure) {
            group.forEach(asked -> asked.answer().fail(failure));
            return Future.failedFuture(failure);
        }
    }

    /** Whether it would be no other for one alone. */
    private boolean isOfServer(Throwable failure) {
        return Refusals.of(failure, budget).code() == ErrorCode.UNAVAILABLE;
    }

    /** What one of them takes. */
    private final class Part {

        private final Asked<Question, List<StoredObject>> asked;
        private final FirstMatches first;
        /** Made when somebody asks. */
        private Optional<Filter> own = Optional.empty();

        private Optional<ApiException> refusal = Optional.empty();

        private Part(Asked<Question, List<StoredObject>> asked) {
            this.asked = asked;
            this.first = new FirstMatches(asked.what().query(), asked.what().room());
        }

        /** That of the value that it looks for, which is a plain one. */
        private BsonValue key() {
            return PlainValues.key(asked.what().filled().value()).orElseThrow();
        }

        private boolean matches(BsonDocument document) {
            if (own.isEmpty()) {
                QueryTemplate.Filled filled = asked.what().filled();
                own = Optional.of(Filter.parse(filled.template().with(filled.value())));
            }
            return own.orElseThrow().matches(document);
        }

        private void take(BsonDocument match) {
            if (refusal.isEmpty()) {
                try {
                    Queries.keep(first, match);
                } catch (ApiException refused) {
                    refusal = Optional.of(refused);
                }
            }
        }

        private Future<?> answer() {
            return refusal.<Future<List<StoredObject>>>map(Future::failedFuture)
                    .orElseGet(() -> adoption.all(asked.what().query().bucket(), first.toList()))
                    .onComplete(asked.answer());
        }
    }
}
