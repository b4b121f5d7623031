package io.orestes.coherence;

import io.orestes.histories.cluster.MongoDb;
import io.orestes.support.process.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;

/**
 * Another program, which writes objects of its own groups in MongoDB. No server acknowledges its
 * writes, so they have to be visible only after some time.
 */
final class ExternalWriter implements Runnable {

    /**
     * Time until a reader of the changes that is unable to work is replaced, and all servers have
     * received the change.
     */
    private static final Duration MAX_PUBLICATION_TIME = Duration.ofSeconds(25);

    private static final double DELETES = 0.2;
    private static final String DATABASE = "shop";

    private final RunContext world;
    private final MongoDb mongo;
    private final List<Group> groups;
    private final Random dice;
    private final AtomicInteger writes = new AtomicInteger();

    ExternalWriter(RunContext world, MongoDb mongo, List<Group> groups, long seed) {
        this.world = world;
        this.mongo = mongo;
        this.groups = groups;
        this.dice = new Random(seed);
    }

    /** Returns the number of its writes that had to be visible. */
    int writes() {
        return writes.get();
    }

    @Override
    public void run() {
        while (!world.isOver()) {
            List<Group.Write> written = new ArrayList<>();
            for (Group group : groups) {
                written.add(write(group));
                Waiting.pause(Duration.ofMillis(dice.nextInt(1_000)));
            }
            if (isPublished()) {
                written.forEach(this::mustBeSeen);
            }
        }
    }

    /** Returns false if the run ends before. */
    private boolean isPublished() {
        long end = System.nanoTime() + MAX_PUBLICATION_TIME.toNanos();
        while (!world.isOver() && System.nanoTime() < end) {
            Waiting.pause(Duration.ofMillis(100));
        }
        return !world.isOver();
    }

    private Group.Write write(Group group) {
        Resource object = group.objects().get(dice.nextInt(group.objects().size()));
        Group.Change change = new Group.Change(object, group.has(object) && dice.nextDouble() < DELETES);
        Group.Write write = group.begin(List.of(change));
        note(write, "another program begins to write " + object.key() + " to " + write.print(change));
        while (!isDone(write, change)) {
            Waiting.pause(Duration.ofMillis(200));
        }
        note(write, "written");
        return write;
    }

    /** Repeats are idempotent. */
    private boolean isDone(Group.Write write, Group.Change change) {
        String key = change.key();
        String bucket = key.split("/", 4)[2];
        return change.isDelete()
                ? mongo.delete(DATABASE, bucket, key)
                : mongo.set(DATABASE, bucket, key, fields(write));
    }

    /** Integers have 64 bits. */
    private static String fields(Group.Write write) {
        BsonDocument fields = write.body();
        fields.replaceAll(
                (name, value) -> value.isInt32() ? new BsonInt64(value.asInt32().getValue()) : value);
        return fields.toJson(
                JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).build());
    }

    private void mustBeSeen(Group.Write write) {
        write.group().committed(write);
        note(write, "has to be seen");
        writes.incrementAndGet();
    }

    private void note(Group.Write write, String what) {
        write.resources().forEach(resource -> world.journal().note(resource, what));
    }
}
