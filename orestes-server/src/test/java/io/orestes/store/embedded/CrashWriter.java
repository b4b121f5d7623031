package io.orestes.store.embedded;

import io.invalidb.model.VersionStamp;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.store.IndexSpec;
import io.orestes.store.embedded.database.EmbeddedStoreConfig;
import io.vertx.core.Vertx;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;

/**
 * A process that writes until it is killed: some writers, each with its own keys and one write in
 * progress. It prints {@code key incarnation version value.} once a write is acknowledged, with the
 * value -1 for a deletion. Before it requests a deletion, it prints {@code key.}
 */
final class CrashWriter {

    static final String BUCKET = "Crash";

    private static final int WRITERS = 32;
    private static final int KEYS_PER_WRITER = 5;

    private final EmbeddedObjectStore store;
    private final PrintStream out;
    private final Random random = new Random();

    private CrashWriter(EmbeddedObjectStore store, PrintStream out) {
        this.store = store;
        this.out = out;
    }

    /** Takes the data directory. */
    public static void main(String[] arguments) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        Vertx vertx = Vertx.vertx();
        CrashWriter writer =
                new CrashWriter(EmbeddedObjectStore.open(vertx, EmbeddedStoreConfig.at(Path.of(arguments[0]))), out);
        vertx.runOnContext(nothing ->
                writer.store.createIndex(BUCKET, IndexSpec.ascending("value")).onSuccess(done -> writer.start()));
    }

    private void start() {
        for (int writer = 0; writer < WRITERS; writer++) {
            write(writer);
        }
    }

    private void write(int writer) {
        ObjectRef ref = new ObjectRef(BUCKET, "w" + writer + "k" + random.nextInt(KEYS_PER_WRITER));
        if (random.nextInt(10) == 0) {
            delete(writer, ref);
        } else {
            replace(writer, ref);
        }
    }

    private void replace(int writer, ObjectRef ref) {
        store.replace(ref, fields(), Precondition.none(), Principal.SERVER).onSuccess(stored -> {
            print(ref, stored.stamp(), value(stored));
            write(writer);
        });
    }

    private void delete(int writer, ObjectRef ref) {
        out.println(ref.key() + ".");
        store.delete(ref, Precondition.none(), Principal.SERVER).onSuccess(tombstone -> {
            tombstone.ifPresent(gone -> print(ref, gone.stamp(), -1));
            write(writer);
        });
    }

    static long value(StoredObject stored) {
        return stored.document().getInt64("value").getValue();
    }

    private BsonDocument fields() {
        return new BsonDocument("value", new BsonInt64(random.nextLong(Long.MAX_VALUE)))
                .append("filler", new BsonString("f".repeat(random.nextInt(2_000))));
    }

    private void print(ObjectRef ref, VersionStamp versionStamp, long value) {
        out.println(ref.key() + " " + versionStamp.incarnation() + " " + versionStamp.version() + " " + value + ".");
    }
}
