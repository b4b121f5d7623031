package io.orestes.bench.cluster;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.model.Filters;
import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoCollection;
import io.orestes.bench.client.PublisherItems;
import io.orestes.bench.client.Steps;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.reactivestreams.Publisher;

/**
 * Transactions of MongoDB itself by its driver, in a session of their own, one at a time. They read
 * a snapshot; objects that are only read are not validated at commit.
 */
final class MongoTransactor implements Transactor {

    private static final String DATABASE = "native";
    private static final TransactionOptions OPTIONS = TransactionOptions.builder()
            .readConcern(ReadConcern.SNAPSHOT)
            .writeConcern(WriteConcern.MAJORITY)
            .build();

    private final Context home;
    private final ClientSession session;
    private final MongoCollection<BsonDocument> accounts;

    MongoTransactor(Context home, MongoClient client) throws Exception {
        this.home = home;
        this.session = PublisherItems.of(client.startSession()).get(0);
        this.accounts = accounts(client);
    }

    /** Stores all objects. */
    static void fill(MongoClient client) throws Exception {
        PublisherItems.of(accounts(client)
                .insertMany(IntStream.range(0, Accounts.OBJECTS)
                        .mapToObj(number -> document(number, 1))
                        .toList()));
    }

    private static MongoCollection<BsonDocument> accounts(MongoClient client) {
        return client.getDatabase(DATABASE)
                .getCollection(Accounts.CLASS, BsonDocument.class)
                .withWriteConcern(WriteConcern.MAJORITY);
    }

    private static BsonDocument document(int number, long version) {
        return BsonDocument.parse("{\"_id\":\"" + Accounts.id(number) + "\"," + Accounts.fields(1) + "}")
                .append("version", new BsonInt64(version));
    }

    @Override
    public Future<Ending> transact(int[] objects) {
        session.startTransaction(OPTIONS);
        List<Long> versions = new ArrayList<>();
        PrimitiveIterator.OfInt next = IntStream.of(objects).iterator();
        int[] write = {0};
        return Steps.repeat(home, objects.length, () -> read(next.nextInt(), versions))
                .compose(read -> Steps.repeat(
                        home, Accounts.WRITES, () -> replace(objects[write[0]], versions.get(write[0]++) + 1)))
                .compose(written -> commit())
                .recover(this::abort);
    }

    private Future<?> read(int object, List<Long> versions) {
        return ended(accounts.find(session, Filters.eq(Accounts.id(object))).first())
                .onSuccess(
                        found -> versions.add(found.get(0).getInt64("version").getValue()));
    }

    private Future<?> replace(int object, long version) {
        return ended(accounts.findOneAndReplace(session, Filters.eq(Accounts.id(object)), document(object, version)));
    }

    private Future<Ending> commit() {
        long begin = System.nanoTime();
        return ended(session.commitTransaction()).map(done -> Ending.committed(System.nanoTime() - begin));
    }

    /** Of two that write one object the second is refused, at once and not when it commits. */
    private Future<Ending> abort(Throwable failure) {
        boolean isConflict = failure instanceof MongoException refused
                && refused.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL);
        if (!isConflict) {
            return Future.failedFuture(failure);
        }
        return session.hasActiveTransaction()
                ? ended(session.abortTransaction()).map(Ending.ABORTED)
                : Future.succeededFuture(Ending.ABORTED);
    }

    private <T> Future<List<T>> ended(Publisher<T> publisher) {
        return Future.fromCompletionStage(PublisherItems.begin(publisher), home);
    }
}
