package io.orestes.schema;

import io.orestes.json.JsonReader;
import io.orestes.model.ObjectRef;
import io.orestes.model.Principal;
import io.orestes.schema.model.Schema;
import io.orestes.store.IndexSpec;
import io.orestes.store.ObjectStore;
import io.orestes.store.embedded.EmbeddedObjectStore;
import io.orestes.store.embedded.database.EmbeddedStoreConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;

/**
 * A process that renames a field of many objects back and forth until it is killed, and prints the
 * field's name before it requests each change.
 */
final class RenameWriter {

    static final String BUCKET = "Crash";
    static final int OBJECTS = 2_000;

    private RenameWriter() {}

    /** Takes the data directory. */
    public static void main(String[] arguments) {
        Vertx vertx = Vertx.vertx();
        ObjectStore store = EmbeddedObjectStore.open(vertx, EmbeddedStoreConfig.at(Path.of(arguments[0])));
        vertx.runOnContext(start -> SchemaRegistry.open(store)
                .compose(schemas -> fill(schemas, store).compose(full -> rename(schemas)))
                .onFailure(Throwable::printStackTrace));
    }

    /** Returns the name that the field has now. */
    static String name(Schema schema) {
        return schema.fields(schema.get(BUCKET)).get(0).name();
    }

    private static Future<?> fill(SchemaRegistry schemas, ObjectStore store) {
        return schemas.current().find(BUCKET).isPresent()
                ? Future.succeededFuture()
                : schemas.merge(
                                json("{'class': '/db/Crash', 'fields': {'a': {'type': '/db/Integer'}}}"),
                                Principal.SERVER)
                        .compose(made -> store.createIndex(
                                BUCKET, IndexSpec.ascending("a").asUnique()))
                        .compose(indexed -> Future.join(IntStream.range(0, OBJECTS)
                                .<Future<?>>mapToObj(i -> store.insert(
                                        new ObjectRef(BUCKET, "k" + i), new BsonDocument("a", new BsonInt32(i))))
                                .toList()));
    }

    private static Future<Schema> rename(SchemaRegistry schemas) {
        String from = name(schemas.current());
        System.out.println(from);
        return schemas.merge(
                        json("{'operation': 'renameField', 'bucket': '/db/Crash', 'from': '%s', 'to': '%s'}"
                                .formatted(from, from.equals("a") ? "b" : "a")),
                        Principal.SERVER)
                .compose(renamed -> rename(schemas));
    }

    private static BsonDocument json(String text) {
        return JsonReader.read(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8))
                .asDocument();
    }
}
