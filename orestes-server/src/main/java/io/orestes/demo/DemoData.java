package io.orestes.demo;

import io.orestes.json.JsonReader;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.schema.SchemaRegistry;
import io.orestes.schema.model.ClassSchema;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;

/**
 * The sample classes {@code demo.Todo} and {@code demo.News} with their objects, created on the
 * first start only. Objects are written directly to the store: before the server listens no client
 * has cached or subscribed to anything. The simultaneous creation of all news must not make them
 * look like frequently changing objects.
 */
public final class DemoData {

    /** Number of news items. */
    static final int NEWS = 300;

    private static final String TODO = "demo.Todo";
    private static final String ARTICLE = "demo.News";

    private static final String CLASSES =
            """
            [{"class": "/db/demo.Todo", "fields": {
                "text": {"name": "text", "type": "/db/String", "order": 0},
                "done": {"name": "done", "type": "/db/Boolean", "order": 1}}},
             {"class": "/db/demo.News", "fields": {
                "headline": {"name": "headline", "type": "/db/String", "order": 0},
                "section": {"name": "section", "type": "/db/String", "order": 1},
                "publishedAt": {"name": "publishedAt", "type": "/db/DateTime", "order": 2},
                "likes": {"name": "likes", "type": "/db/Integer", "order": 3}}}]
            """;

    private static final List<String> TODOS = List.of(
            "Open this page in a second window",
            "Tick something off and watch the other window",
            "Reload this page and look where the news come from",
            "Stop the server, start it again and see this list come back");

    private static final List<String> SECTIONS = List.of("Harbour", "Weather", "Markets", "Sports", "Science");
    private static final List<String> WHO = List.of(
            "Ferry crew", "Night market", "Chess club", "Observatory", "Bakers' guild", "Tram line 5", "Old library");
    private static final List<String> DOES =
            List.of("welcomes", "postpones", "rediscovers", "measures", "celebrates", "repairs", "counts");
    private static final List<String> WHAT = List.of(
            "a record tide", "the first snow", "its thousandth guest", "a lost map", "the summer timetable", "a comet");

    private final SchemaRegistry schemas;
    private final ObjectStore store;

    public DemoData(SchemaRegistry schemas, ObjectStore store) {
        this.schemas = schemas;
        this.store = store;
    }

    /** Creates the sample objects, unless there are some already. */
    public Future<Void> create() {
        return schemas.merge(JsonReader.read(CLASSES), Principal.SERVER)
                .compose(schema -> store.scan(ARTICLE, "", 1))
                .compose(existing -> existing.isEmpty() ? fill() : Future.succeededFuture());
    }

    private Future<Void> fill() {
        Stream<Future<?>> todos = IntStream.range(0, TODOS.size())
                .mapToObj(i -> put(new ObjectRef(TODO, "sample-" + i), todo(TODOS.get(i))));
        Stream<Future<?>> news =
                IntStream.range(0, NEWS).mapToObj(i -> put(new ObjectRef(ARTICLE, "news-" + i), news(i)));
        return Future.join(Stream.concat(todos, news).toList()).mapEmpty();
    }

    private Future<StoredObject> put(ObjectRef ref, BsonDocument body) {
        long schemaEpoch = store.schemaEpoch(ref.bucket());
        ClassSchema schema = schemas.current().entity(ref.bucket());
        return store.replace(
                ref, schemas.codec().decode(schema, body), schemaEpoch, Precondition.none(), Principal.SERVER);
    }

    private static BsonDocument todo(String text) {
        return new BsonDocument("text", new BsonString(text)).append("done", BsonBoolean.FALSE);
    }

    /** Returns the i-th of the sample news; equal on every machine. */
    private static BsonDocument news(int i) {
        String headline = pick(WHO, i) + " " + pick(DOES, i / 2 + i) + " " + pick(WHAT, i / 7 + i);
        Instant published = Instant.parse("2026-01-01T06:00:00Z").plusSeconds(i * 5_400L);
        return new BsonDocument("headline", new BsonString(headline))
                .append("section", new BsonString(pick(SECTIONS, i)))
                .append("publishedAt", new BsonString(published.toString()))
                .append("likes", new BsonInt64(i * 37 % 101));
    }

    private static String pick(List<String> words, int i) {
        return words.get(i % words.size());
    }
}
