package io.orestes.store.embedded;

import static io.orestes.store.Await.await;

import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.model.WriteOutcome;
import io.orestes.store.Batch;
import io.orestes.store.UpdateFunction;
import io.orestes.store.embedded.database.EmbeddedStoreConfig;
import io.vertx.core.Vertx;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt64;

/**
 * A process that transfers money until it is killed, several transfers at a time, and prints the
 * acknowledged ones.
 */
final class TransferWriter {

    static final String BUCKET = "Account";
    static final int ACCOUNTS = 20;
    static final long BALANCE = 1_000;

    private static final int UNDER_WAY = 8;

    private final EmbeddedObjectStore store;
    private final PrintStream out;
    private final Random random = new Random();

    private TransferWriter(EmbeddedObjectStore store, PrintStream out) {
        this.store = store;
        this.out = out;
    }

    /** Takes the data directory. */
    public static void main(String[] arguments) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        Vertx vertx = Vertx.vertx();
        TransferWriter writer =
                new TransferWriter(EmbeddedObjectStore.open(vertx, EmbeddedStoreConfig.at(Path.of(arguments[0]))), out);
        writer.openAccounts();
        vertx.runOnContext(nothing -> {
            for (int i = 0; i < UNDER_WAY; i++) {
                writer.transfer();
            }
        });
    }

    private void openAccounts() {
        if (await(store.scan(BUCKET, "", 1)).isEmpty()) {
            List<Batch.StoreOperation> accounts = IntStream.range(0, ACCOUNTS)
                    .<Batch.StoreOperation>mapToObj(
                            i -> new Batch.InsertOperation(account(i), balance(BALANCE), store.schemaEpoch(BUCKET)))
                    .toList();
            var unused = await(store.commit(new Batch(List.of(), accounts, Principal.SERVER)));
        }
    }

    private void transfer() {
        int from = random.nextInt(ACCOUNTS);
        int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
        long amount = 1L + random.nextInt(50);
        Batch batch = new Batch(List.of(), List.of(change(from, -amount), change(to, amount)), Principal.SERVER);
        store.commit(batch).onSuccess(this::print).onComplete(done -> transfer());
    }

    private Batch.StoreOperation change(int account, long by) {
        UpdateFunction updateFunction =
                (stored, at) -> balance(stored.getInt64("balance").getValue() + by);
        return new Batch.UpdateOperation(
                account(account), updateFunction, store.schemaEpoch(BUCKET), Precondition.none());
    }

    private void print(List<WriteOutcome> outcomes) {
        StringBuilder line = new StringBuilder();
        outcomes.forEach(outcome -> line.append(outcome.ref().id())
                .append(' ')
                .append(((StoredObject) outcome).version())
                .append(' '));
        out.println(line.append('.'));
    }

    static long balance(StoredObject account) {
        return account.document().getInt64("balance").getValue();
    }

    private static BsonDocument balance(long value) {
        return new BsonDocument("balance", new BsonInt64(value));
    }

    private static ObjectRef account(int number) {
        return new ObjectRef(BUCKET, "a" + number);
    }
}
