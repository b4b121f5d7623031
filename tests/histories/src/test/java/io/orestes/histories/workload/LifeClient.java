package io.orestes.histories.workload;

import io.orestes.histories.workload.LifeWrite.Kind;
import io.orestes.support.process.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.bson.BsonArray;

/**
 * One client that inserts, replaces, increments, deletes and reads objects, each by itself or
 * several by one request.
 */
final class LifeClient implements Runnable {

    private static final double READS = 0.25;
    private static final double BULKS = 0.1;
    private static final double CONDITIONS = 0.5;
    private static final double KNOWN = 0.8;
    private static final int MOST_OF_BULK = 5;

    /** Number of values, small so that clients often write equal ones. */
    private static final int VALUES = 2;

    private static final List<Kind> KINDS = List.of(
            Kind.INSERTION,
            Kind.FIRST_PUT,
            Kind.REPLACEMENT,
            Kind.REPLACEMENT,
            Kind.INCREMENT,
            Kind.INCREMENT,
            Kind.DELETION,
            Kind.DELETION);

    private final String name;
    private final Servers servers;
    private final LifeKeys keys;
    private final Journal journal;
    private final Tally tally;
    private final Reader reader;
    private final BooleanSupplier isOver;
    private final Duration breath;
    private final Random dice;

    /** The tags of the states that it saw last. */
    private final Map<String, StateTag> tags = new HashMap<>();

    /** @param breath the mean time between two requests */
    LifeClient(
            String name,
            Servers servers,
            LifeKeys keys,
            Journal journal,
            Tally tally,
            BooleanSupplier isOver,
            Duration breath,
            long seed) {
        this.name = name;
        this.servers = servers;
        this.keys = keys;
        this.journal = journal;
        this.tally = tally;
        this.isOver = isOver;
        this.breath = breath;
        this.dice = new Random(seed);
        this.reader = new Reader(servers, journal, tally, dice);
    }

    @Override
    public void run() {
        while (!isOver.getAsBoolean()) {
            double chance = dice.nextDouble();
            if (chance < READS) {
                String key = keys.next(dice);
                reader.freshTag(key).ifPresent(tag -> tags.put(key, tag));
            } else if (chance < READS + BULKS) {
                writeSeveral();
            } else {
                writeOne();
            }
            Waiting.pause(Duration.ofNanos((long) (breath.toNanos() * 2 * dice.nextDouble())));
        }
    }

    private void writeOne() {
        LifeWrite write = any();
        long called = journal.now();
        LifeResult result = LifeResult.of(write.send(servers, servers.any(dice)));
        note(write, true, result, called, journal.now());
    }

    private void writeSeveral() {
        List<LifeWrite> writes = new ArrayList<>();
        int count = 2 + dice.nextInt(MOST_OF_BULK - 1);
        for (int i = 0; i < count; i++) {
            writes.add(any());
        }
        long called = journal.now();
        Optional<BsonArray> results = sendTogether(writes);
        long answered = journal.now();
        for (int i = 0; i < count; i++) {
            int place = i;
            LifeResult result = results.map(all -> LifeResult.of(all.get(place).asDocument()))
                    .orElse(LifeResult.unknown());
            note(writes.get(i), false, result, called, answered);
        }
    }

    /** Returns the results of all; empty if there was no answer. */
    private Optional<BsonArray> sendTogether(List<LifeWrite> writes) {
        String body =
                writes.stream().map(LifeWrite::operation).collect(Collectors.joining(",", "{\"operations\":[", "]}"));
        return servers.send(servers.any(dice), "POST", "/db/" + LifeKeys.BUCKET + "/bulk", body, Servers.LATER)
                .filter(Answer::isDefinite)
                .map(LifeClient::results);
    }

    private static BsonArray results(Answer answer) {
        if (answer.status() != 200) {
            throw new AssertionError("Several writes are answered with " + answer);
        }
        return answer.object().getArray("results");
    }

    private LifeWrite any() {
        String key = keys.next(dice);
        Optional<StateTag> condition = dice.nextDouble() < CONDITIONS ? Optional.of(tag(key)) : Optional.empty();
        return new LifeWrite(KINDS.get(dice.nextInt(KINDS.size())), key, condition, 1 + dice.nextInt(VALUES));
    }

    /** Returns a tag that the object may have: of one state, or of any with a version. */
    private StateTag tag(String key) {
        StateTag known = tags.get(key);
        if (known == null || known.version() == 0 || dice.nextDouble() >= KNOWN) {
            return new StateTag(1 + dice.nextInt(3), OptionalLong.empty());
        }
        return dice.nextBoolean() ? known : new StateTag(known.version(), OptionalLong.empty());
    }

    private void note(LifeWrite write, boolean isAlone, LifeResult result, long called, long answered) {
        String written = journal.nextName(write.kind() + " ") + " of " + name;
        write.note(journal, written, isAlone, result, called, answered);
        tally.write(write.kind(), result);
        switch (result.kind()) {
            case DONE -> tags.put(write.key(), new StateTag(result.version().orElse(0), result.time()));
            // some tags are kept: a server must not assign them to a later state
            case REFUSED, UNKNOWN -> {
                if (dice.nextBoolean()) {
                    tags.remove(write.key());
                }
            }
        }
    }
}
