package io.orestes.store.mongo;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Updates;
import io.invalidb.query.filter.Filter;
import io.invalidb.query.sort.SortOrder;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.store.Batch;
import io.orestes.store.IndexSpec;
import io.orestes.store.ObjectStore;
import io.orestes.store.StoreQuery;
import io.orestes.store.embedded.EmbeddedObjectStore;
import io.orestes.store.embedded.database.EmbeddedStoreConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Searches for words find what the embedded store finds, by the hashes stored in objects. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
@EachDeployment
final class WordHashesTest {

    private static final ObjectRef A = new ObjectRef("Item", "a");
    private static final BsonDocument IS_A = BsonDocument.parse("{_id: '/db/Item/a'}");

    @RegisterExtension
    final MongoFixture server;

    private MongoObjectStore store;
    private MongoCollection<BsonDocument> items;

    WordHashesTest(Deployment deployment) {
        server = MongoFixture.shared(deployment);
    }

    @BeforeEach
    void open() {
        store = server.open();
        items = server.mongod().database().getCollection("Item", BsonDocument.class);
    }

    /**
     * Objects in all languages and in none, some inserted before the index and some after, alone
     * and in commits.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void query_anySearch_findsWhatTheEmbeddedStoreFinds(long seed, @TempDir Path directory) {
        EmbeddedObjectStore embedded =
                EmbeddedObjectStore.open(server.vertx(), EmbeddedStoreConfig.at(directory.resolve("data")));
        try {
            RandomText scribble = new RandomText(new Random(seed));
            List<ObjectStore> both = List.of(embedded, store);
            write(both, scribble);
            both.forEach(each -> await(each.createIndex("Item", IndexSpec.TEXT)));
            write(both, scribble);

            for (int i = 0; i < 60; i++) {
                Filter filter = scribble.filter();
                StoreQuery query = scribble.query(filter);
                assertThat(keys(store, query)).as("%s", query).isEqualTo(keys(embedded, query));
                assertThat(await(store.count("Item", filter))).isEqualTo(await(embedded.count("Item", filter)));
                assertThat(visited(store, filter)).isEqualTo(visited(embedded, filter));
            }
        } finally {
            await(embedded.close());
        }
    }

    private static void write(List<ObjectStore> both, RandomText scribble) {
        for (int i = 0; i < 30; i++) {
            Batch batch = scribble.batch();
            both.forEach(each -> assertThat(await(each.commit(batch)))
                    .hasSizeLessThanOrEqualTo(batch.writes().size()));
        }
    }

    private static List<String> keys(ObjectStore store, StoreQuery query) {
        return await(store.query(query)).stream()
                .map(object -> object.ref().key())
                .toList();
    }

    private static Set<String> visited(ObjectStore store, Filter filter) {
        Set<String> keys = new TreeSet<>();
        await(store.visit("Item", filter, object -> keys.add(object.ref().key())));
        return keys;
    }

    /**
     * Objects without any word are not examined either. In {@code $or} MongoDB fetches each twice.
     */
    @Test
    void query_words_examinesWhatHasThem() {
        awaitAll(IntStream.range(0, 300)
                .mapToObj(i -> store.insert(
                        new ObjectRef("Item", "i" + i),
                        BsonDocument.parse(i % 2 == 0 ? "{n: 1}" : "{text: 'word and w%d'}".formatted(i % 100))))
                .toList());
        await(store.createIndex("Item", IndexSpec.TEXT));
        awaitAll(IntStream.range(300, 400)
                .mapToObj(i -> store.insert(
                        new ObjectRef("Item", "i" + i),
                        BsonDocument.parse(i % 2 == 0 ? "{n: 1}" : "{text: 'word and w%d'}".formatted(i % 100))))
                .toList());

        assertThat(examined(words("w7"))).isEqualTo(4);
        assertThat(examined(Filter.parse(BsonDocument.parse("{$or: [{$text: {$search: 'w7 w9'}}, {_id: 'none'}]}"))))
                .isEqualTo(16);
    }

    private long examined(Filter filter) {
        server.mongod().database().runCommand(BsonDocument.parse("{profile: 2}"));
        assertThat(await(store.query(StoreQuery.all("Item", filter)))).isNotEmpty();
        server.mongod().database().runCommand(BsonDocument.parse("{profile: 0}"));
        MongoCollection<BsonDocument> profile =
                server.mongod().database().getCollection("system.profile", BsonDocument.class);
        List<BsonDocument> found =
                profile.find(BsonDocument.parse("{op: 'query', ns: /Item$/}")).into(new ArrayList<>());
        profile.drop();
        assertThat(found).hasSize(1);
        assertThat(found.get(0).getDocument("command").getDocument("projection"))
                .isEqualTo(new BsonDocument("_words", new BsonInt32(0)));
        return found.get(0).getNumber("docsExamined").longValue();
    }

    /** The hashes are no part of an object, and of no answer. */
    @Test
    void objects_containHiddenWordHashes() {
        await(store.createIndex("Item", IndexSpec.TEXT));
        StoredObject written = await(store.insert(A, text("coffee")));

        assertThat(stored()).containsKey("_words");
        for (BsonDocument seen : List.of(
                written.document(),
                await(store.find(A)).orElseThrow().document(),
                await(store.query(StoreQuery.all("Item", words("coffee"))))
                        .get(0)
                        .document(),
                await(store.query(StoreQuery.all("Item", Filter.ALL))).get(0).document(),
                await(store.scan("Item", "", 1)).get(0).document())) {
            assertThat(seen).doesNotContainKey("_words").isEqualTo(written.document());
        }
    }

    /** Every search examines these objects. */
    @Test
    void objects_ofTooManyWordsOrTooLarge_containNoWordHashes() {
        await(store.createIndex("Item", IndexSpec.TEXT));
        String words = IntStream.range(0, 9_900).mapToObj(i -> "w" + i).collect(Collectors.joining(" "));
        byte[] filling = new byte[(16 << 20) - words.length() - 1_000];
        await(store.insert(A, text(words).append("filling", new BsonBinary(filling))));
        assertThat(stored()).doesNotContainKey("_words");

        await(store.replace(A, text(words + " and much more".repeat(9)), Precondition.none(), Principal.SERVER));
        assertThat(stored()).containsKey("_words");

        String more = IntStream.range(0, 200).mapToObj(i -> "x" + i).collect(Collectors.joining(" "));
        await(store.replace(A, text(words + " " + more), Precondition.none(), Principal.SERVER));
        assertThat(stored()).doesNotContainKey("_words");
        assertThat(await(store.count("Item", words("x199")))).isOne();
    }

    /**
     * Where the server has no change feed, an index that is created anew contains such a change,
     * also if there are too many words to store now.
     */
    @Test
    void createIndexAgain_anotherProgramHasChangedAPart_knowsIt() {
        await(store.createIndex("Item", IndexSpec.TEXT));
        await(store.insert(A, text("coffee")));
        items.updateOne(
                IS_A,
                Updates.set(
                        "text",
                        IntStream.range(0, 12_000).mapToObj(i -> "w" + i).collect(Collectors.joining(" "))));

        await(store.dropIndex("Item", IndexSpec.TEXT));
        await(store.createIndex("Item", IndexSpec.TEXT));

        assertThat(await(store.count("Item", words("w7")))).isOne();
        assertThat(await(store.count("Item", words("coffee")))).isZero();
    }

    /**
     * Another program stores no hashes. A document that replaced an object is found at once, and by
     * its words once it is normalised.
     */
    @Test
    void query_documentsOfOtherPrograms_areFound() {
        await(store.createIndex("Item", IndexSpec.TEXT));
        await(store.insert(A, text("coffee")));
        items.replaceOne(IS_A, BsonDocument.parse("{text: 'some tea', language: 7}"));
        items.insertOne(BsonDocument.parse("{_id: '/db/Item/b', text: 'tea'}"));

        assertThat(await(store.count("Item", words("coffee")))).isZero();
        assertThat(await(store.count("Item", words("tea")))).isEqualTo(2);

        assertThat(await(store.find(A))).isPresent();
        assertThat(stored()).containsKey("_words");
        assertThat(await(store.count("Item", words("tea")))).isEqualTo(2);
        assertThat(await(store.count("Item", words("coffee")))).isZero();
    }

    /** Orestes must not drop it, and what it refuses is an error of the client. */
    @ParameterizedTest
    @ValueSource(strings = {"null", "1", "'klingon'"})
    void write_textIndexOfAnotherProgramRefusesTheLanguage_isBadRequest(String language) {
        await(store.insert(A, text("coffee")));
        items.createIndex(BsonDocument.parse("{'$**': 'text'}"));
        BsonDocument odd = BsonDocument.parse("{language: " + language + "}");

        assertThat(failureOf(store.insert(new ObjectRef("Item", "b"), odd)).code())
                .isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(failureOf(store.replace(A, odd, Precondition.none(), Principal.SERVER))
                        .code())
                .isEqualTo(ErrorCode.BAD_REQUEST);
        Batch batch = new Batch(
                List.of(),
                List.of(
                        new Batch.InsertOperation(new ObjectRef("Item", "c"), text("tea"), store.schemaEpoch("Item")),
                        new Batch.InsertOperation(new ObjectRef("Item", "d"), odd, store.schemaEpoch("Item"))),
                Principal.SERVER);
        assertThat(failureOf(store.commit(batch)).code()).isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(items.countDocuments()).isEqualTo(1);
    }

    /** An impossible index is not "being filled" for ever. */
    @Test
    void createIndex_mongoDbCannotHaveIt_isRefusedAndRemoved() {
        await(store.insert(A, BsonDocument.parse("{place: {type: 'Point', coordinates: [500, 500]}}")));

        assertThat(failureOf(store.createIndex("Item", IndexSpec.geo("place"))).code())
                .isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(await(store.unfinishedIndexes("Item"))).isEmpty();
        assertThat(await(store.indexes("Item"))).isEmpty();
    }

    private BsonDocument stored() {
        return Objects.requireNonNull(items.find(IS_A).first());
    }

    private static BsonDocument text(String text) {
        return new BsonDocument("text", new BsonString(text));
    }

    private static Filter words(String search) {
        return Filter.parse(new BsonDocument("$text", new BsonDocument("$search", new BsonString(search))));
    }

    /** Objects that share some words, and searches for these. */
    private record RandomText(Random random) {

        private static final List<String> WORDS = List.of(
                "house", "houses", "Häuser", "haus", "running", "ran", "the", "der", "maisons", "maison", "naïve",
                "don't", "db", "item", "allow", "tea", "User");
        private static final List<BsonValue> LANGUAGES = List.of(
                BsonNull.VALUE,
                new BsonInt32(7),
                BsonBoolean.TRUE,
                new BsonString(""),
                new BsonString("english"),
                new BsonString("de"),
                new BsonString("German"),
                new BsonString("none"),
                new BsonString("french"),
                new BsonString("klingon"),
                new BsonArray(List.of(new BsonString("de"))),
                BsonDocument.parse("{name: 'de', text: 'houses'}"));

        private Batch batch() {
            List<Batch.StoreOperation> writes = new ArrayList<>();
            IntStream.range(0, 40)
                    .filter(key -> random.nextInt(40) < 2)
                    .forEach(key -> writes.add(write(new ObjectRef("Item", "tea" + key))));
            return writes.isEmpty() ? batch() : new Batch(List.of(), writes, Principal.SERVER);
        }

        private Batch.StoreOperation write(ObjectRef ref) {
            return random.nextInt(8) == 0
                    ? new Batch.DeleteOperation(ref, 0, Precondition.none())
                    : new Batch.ReplaceOperation(ref, object(2), 0, Precondition.none());
        }

        private BsonDocument object(int depth) {
            BsonDocument object = new BsonDocument("n", new BsonInt32(random.nextInt(5)));
            if (random.nextInt(2) == 0) {
                object.append("language", one(LANGUAGES));
            }
            if (random.nextInt(5) > 0) {
                object.append("text", new BsonString(words(5)));
            }
            if (depth > 0 && random.nextInt(2) == 0) {
                object.append("parts", new BsonArray(List.of(object(depth - 1), new BsonString(words(2)))));
            }
            if (depth == 2 && random.nextInt(3) == 0) {
                object.append("acl", BsonDocument.parse("{read: {'/db/User/tea': 'allow'}, write: {}}"));
            }
            return object;
        }

        private String words(int most) {
            return IntStream.range(0, 1 + random.nextInt(most))
                    .mapToObj(i -> one(WORDS))
                    .collect(Collectors.joining(" "));
        }

        private Filter filter() {
            BsonDocument options = new BsonDocument("$search", new BsonString(search()))
                    .append("$language", new BsonString(one(List.of("en", "de", "none"))))
                    .append("$caseSensitive", BsonBoolean.valueOf(random.nextInt(4) == 0))
                    .append("$diacriticSensitive", BsonBoolean.valueOf(random.nextInt(4) == 0));
            BsonDocument search = new BsonDocument("$text", options);
            BsonDocument number = new BsonDocument("n", new BsonInt32(random.nextInt(5)));
            return Filter.parse(
                    switch (random.nextInt(4)) {
                        case 0 -> new BsonDocument("$or", new BsonArray(List.of(search, number)));
                        case 1 -> new BsonDocument("$and", new BsonArray(List.of(search, number)));
                        default -> search;
                    });
        }

        private String search() {
            return switch (random.nextInt(4)) {
                case 0 -> words(3) + " -" + one(WORDS);
                case 1 -> "\"" + words(2) + "\"";
                case 2 -> words(2) + " -\"" + words(2) + "\"";
                default -> words(2);
            };
        }

        private StoreQuery query(Filter filter) {
            SortOrder order = SortOrder.parse(BsonDocument.parse(one(List.of("{}", "{n: 1}", "{n: -1, text: 1}"))));
            return new StoreQuery("Item", filter, order, random.nextInt(4), 1 + random.nextInt(12));
        }

        private <T> T one(List<T> values) {
            return values.get(random.nextInt(values.size()));
        }
    }
}
