package io.orestes.bench.product;

import io.orestes.bench.client.Wrk;
import io.orestes.bench.harness.Documents;
import io.orestes.json.JsonReader;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.store.embedded.EmbeddedObjectStore;
import io.orestes.store.embedded.database.EmbeddedStoreConfig;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.bson.BsonDocument;

/**
 * The embedded store alone, in a process of its own: replaces from as many event loops as the
 * server has.
 */
public final class StorePeer {

    private final EmbeddedObjectStore store;
    private final List<BsonDocument> items;
    private final AtomicInteger next = new AtomicInteger();

    private StorePeer(EmbeddedObjectStore store) {
        this.store = store;
        this.items = IntStream.range(0, Documents.WRITTEN_ITEMS)
                .mapToObj(i -> JsonReader.read(Documents.item("w" + i, 0, 1024)).asDocument())
                .toList();
    }

    /** Reads a folder; answers every line, a number of seconds, with the replaces per second. */
    public static void main(String[] arguments) throws InterruptedException {
        int loops = Runtime.getRuntime().availableProcessors();
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(loops).setPreferNativeTransport(true));
        StorePeer peer = new StorePeer(EmbeddedObjectStore.open(vertx, EmbeddedStoreConfig.at(Path.of(arguments[0]))));
        Scanner lines = new Scanner(System.in, StandardCharsets.UTF_8);
        List<Context> contexts = IntStream.range(0, loops)
                .mapToObj(i -> vertx.getOrCreateContext())
                .toList();
        while (lines.hasNextLine()) {
            System.out.println(peer.rate(Integer.parseInt(lines.nextLine()), contexts));
        }
        System.exit(0);
    }

    private double rate(int seconds, List<Context> contexts) throws InterruptedException {
        LongAdder done = new LongAdder();
        CountDownLatch writers = new CountDownLatch(Wrk.CONNECTIONS);
        long begin = System.nanoTime();
        long end = begin + seconds * 1_000_000_000L;
        for (int i = 0; i < Wrk.CONNECTIONS; i++) {
            contexts.get(i % contexts.size()).runOnContext(now -> write(end, done, writers));
        }
        writers.await();
        return done.sum() / ((System.nanoTime() - begin) / 1e9);
    }

    private void write(long end, LongAdder done, CountDownLatch writers) {
        if (System.nanoTime() >= end) {
            writers.countDown();
            return;
        }
        int index = Math.floorMod(next.getAndIncrement(), items.size());
        store.replace(
                        new ObjectRef(Documents.ITEM, "w" + index),
                        items.get(index),
                        Precondition.none(),
                        Principal.SERVER)
                .onComplete(written -> {
                    done.increment();
                    write(end, done, writers);
                });
    }
}
