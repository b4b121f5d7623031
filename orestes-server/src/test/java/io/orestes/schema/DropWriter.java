package io.orestes.schema;

import static io.orestes.schema.TestSchemas.json;

import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.schema.model.Schema;
import io.orestes.store.IndexSpec;
import io.orestes.store.ObjectStore;
import io.orestes.store.embedded.EmbeddedObjectStore;
import io.orestes.store.embedded.database.EmbeddedStoreConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;

/**
 * A process that creates a class of many objects and drops it until it is killed; prints a line
 * before and after each drop.
 */
final class DropWriter {

    static final String BUCKET = "Crash";
    static final int OBJECTS = 5_000;

    private DropWriter() {}

    /** Takes the data directory. */
    public static void main(String[] arguments) {
        Vertx vertx = Vertx.vertx();
        ObjectStore store = EmbeddedObjectStore.open(vertx, EmbeddedStoreConfig.at(Path.of(arguments[0])));
        vertx.runOnContext(start -> SchemaRegistry.open(store)
                .compose(schemas -> run(schemas, store))
                .onFailure(Throwable::printStackTrace));
    }

    private static Future<?> run(SchemaRegistry schemas, ObjectStore store) {
        return fill(schemas, store).compose(full -> drop(schemas)).compose(dropped -> run(schemas, store));
    }

    private static Future<?> fill(SchemaRegistry schemas, ObjectStore store) {
        return schemas.merge(json("{'class': '/db/Crash', 'fields': {'n': {'type': '/db/Integer'}}}"), Principal.SERVER)
                .compose(made ->
                        store.createIndex(BUCKET, IndexSpec.ascending("n").asUnique()))
                .compose(indexed -> Future.join(IntStream.range(0, OBJECTS)
                        .<Future<?>>mapToObj(i -> store.replace(
                                new ObjectRef(BUCKET, "k" + i),
                                new BsonDocument("n", new BsonInt32(i)),
                                Precondition.none(),
                                Principal.SERVER))
                        .toList()));
    }

    private static Future<Schema> drop(SchemaRegistry schemas) {
        System.out.println("dropping");
        return schemas.delete(BUCKET, Principal.SERVER).onSuccess(done -> System.out.println("dropped"));
    }
}
