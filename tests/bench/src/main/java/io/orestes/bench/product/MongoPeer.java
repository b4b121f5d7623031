package io.orestes.bench.product;

import com.mongodb.WriteConcern;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndReplaceOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoCollection;
import io.orestes.bench.client.PublisherItems;
import io.orestes.bench.client.Wrk;
import io.orestes.bench.harness.Documents;
import io.orestes.json.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Scanner;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.reactivestreams.Publisher;

/**
 * MongoDB's driver alone, in a process of its own: as many commands under way as wrk has
 * connections.
 */
public final class MongoPeer {

    private static final FindOneAndReplaceOptions AFTER =
            new FindOneAndReplaceOptions().returnDocument(ReturnDocument.AFTER);

    private final MongoCollection<BsonDocument> items;
    private final List<BsonDocument> documents;
    private final AtomicInteger next = new AtomicInteger();
    private final Map<String, IntFunction<Publisher<?>>> kinds;

    private MongoPeer(MongoCollection<BsonDocument> items) {
        this.items = items;
        this.documents = IntStream.range(0, Documents.WRITTEN_ITEMS)
                .mapToObj(i -> JsonReader.read(Documents.item("w" + i, 0, 1024)).asDocument())
                .toList();
        this.kinds = Map.of("replace", this::replace, "insert", this::insert, "query", this::query);
    }

    /**
     * Reads an address; answers every line, a kind of command and a number of seconds, with the
     * commands per second.
     */
    public static void main(String[] arguments) throws Exception {
        try (MongoClient client = MongoClients.create(arguments[0])) {
            MongoPeer peer = new MongoPeer(client.getDatabase("driver")
                    .getCollection(Documents.ITEM, BsonDocument.class)
                    .withWriteConcern(WriteConcern.MAJORITY));
            peer.fill();
            Scanner lines = new Scanner(System.in, StandardCharsets.UTF_8);
            while (lines.hasNextLine()) {
                String[] words = lines.nextLine().split(" ", 2);
                System.out.println(
                        peer.rate(Objects.requireNonNull(peer.kinds.get(words[0])), Integer.parseInt(words[1])));
            }
        }
        System.exit(0);
    }

    private void fill() throws Exception {
        PublisherItems.of(items.createIndex(Indexes.ascending("shelf")));
        PublisherItems.of(items.insertMany(IntStream.range(0, MongoBenchmark.SHELVED)
                .mapToObj(i -> document("s" + i, documents.get(0)).append("shelf", new BsonInt32(i / 10 + 1)))
                .toList()));
        PublisherItems.of(items.insertMany(IntStream.range(0, documents.size())
                .mapToObj(i -> document("w" + i, documents.get(i)))
                .toList()));
    }

    private double rate(IntFunction<Publisher<?>> kind, int seconds) throws InterruptedException {
        LongAdder done = new LongAdder();
        CountDownLatch lanes = new CountDownLatch(Wrk.CONNECTIONS);
        long begin = System.nanoTime();
        for (int i = 0; i < Wrk.CONNECTIONS; i++) {
            go(kind, begin + seconds * 1_000_000_000L, done, lanes);
        }
        lanes.await();
        return done.sum() / ((System.nanoTime() - begin) / 1e9);
    }

    private void go(IntFunction<Publisher<?>> kind, long end, LongAdder done, CountDownLatch lanes) {
        if (System.nanoTime() >= end) {
            lanes.countDown();
            return;
        }
        var ignored = PublisherItems.begin(kind.apply(next.getAndIncrement())).whenComplete((answer, failure) -> {
            if (failure != null) {
                System.err.println("MongoDB refused a command: " + failure);
                System.exit(1);
            }
            done.increment();
            go(kind, end, done, lanes);
        });
    }

    private Publisher<?> replace(int turn) {
        int index = turn % documents.size();
        String id = "w" + index;
        return items.findOneAndReplace(Filters.eq(id), document(id, documents.get(index)), AFTER);
    }

    private Publisher<?> insert(int turn) {
        return items.insertOne(document("new" + System.nanoTime() + "-" + turn, documents.get(0)));
    }

    private Publisher<?> query(int turn) {
        return items.find(Filters.eq("shelf", turn % (MongoBenchmark.SHELVED / 10) + 1))
                .batchSize(100);
    }

    private static BsonDocument document(String id, BsonDocument fields) {
        BsonDocument document = new BsonDocument("_id", new BsonString(id));
        document.putAll(fields);
        return document;
    }
}
