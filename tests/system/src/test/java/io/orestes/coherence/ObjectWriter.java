package io.orestes.coherence;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.orestes.support.process.Waiting;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Writes objects, and resolves the outcome if there was no answer. Single-threaded. */
final class ObjectWriter {

    private final RunContext world;
    private final HttpConnection wire;
    private final HttpConnection origin;
    private Optional<Message> answer = Optional.empty();

    /** @param wire connection for writes */
    ObjectWriter(RunContext world, HttpConnection wire) {
        this.world = world;
        this.wire = wire;
        this.origin = new HttpConnection(world.place().serverPort());
    }

    /** Deletes an object or writes its next state; false if the write was not done. */
    @CanIgnoreReturnValue
    boolean write(WriteMode way, Group group, Resource object, boolean isDelete) {
        Group.Write write = group.begin(List.of(new Group.Change(object, isDelete)));
        return write(way, List.of(write)) == 1;
    }

    /**
     * Sends writes that have begun, each of a group of its own, and returns the number that were
     * done.
     */
    @CanIgnoreReturnValue
    int write(WriteMode way, List<Group.Write> writes) {
        writes.forEach(write -> note(write, way + " of " + describe(write) + " begins"));
        send(way, writes);
        int count = 0;
        for (int i = 0; i < writes.size(); i++) {
            count += settle(writes.get(i), isAnswered(way, i)) ? 1 : 0;
        }
        return count;
    }

    private boolean settle(Group.Write write, boolean isAnswered) {
        WriteOutcome fate = isAnswered ? WriteOutcome.COMMITTED : fate(write);
        note(write, fate.text);
        switch (fate) {
            case COMMITTED -> write.group().committed(write);
            case LOST -> write.group().lost(write);
            case UNKNOWN -> {
                // a reader may still see either state
            }
        }
        return fate == WriteOutcome.COMMITTED;
    }

    private void note(Group.Write write, String what) {
        write.resources().forEach(resource -> world.journal().note(resource, what));
    }

    private static String describe(Group.Write write) {
        return write.changes().stream()
                .map(change -> change.key() + " to " + write.print(change))
                .collect(Collectors.joining(", "));
    }

    /** Returns the answer to the last write, if any. */
    Optional<Message> answer() {
        return answer;
    }

    private void send(WriteMode way, List<Group.Write> writes) {
        try {
            answer = Optional.of(way.send(wire, writes));
        } catch (IOException lost) {
            answer = Optional.empty();
        }
    }

    private boolean isAnswered(WriteMode way, int place) {
        boolean isDone = answer.filter(given -> way.isDone(given, place)).isPresent();
        if (isDone) {
            world.done(way);
        }
        return isDone;
    }

    private WriteOutcome fate(Group.Write write) {
        Waiting.pause(world.place().aftermath());
        for (Group.Change change : write.changes()) {
            Optional<String> found = newest(change.object());
            if (found.isEmpty()) {
                return WriteOutcome.UNKNOWN;
            }
            if (!found.get().equals(write.print(change))) {
                return WriteOutcome.LOST;
            }
        }
        return WriteOutcome.COMMITTED;
    }

    /** Returns the current body of an object; empty if the run ends before it is known. */
    private Optional<String> newest(Resource object) {
        Message fresh = Message.get("/v1" + object.key()).with("cache-control", "no-cache");
        while (!world.isOver()) {
            try {
                Message found = origin.send(fresh);
                if (found.status() == 200 || found.status() == 404) {
                    return Optional.of(object.print(found.status(), found.body()));
                }
            } catch (IOException unreachable) {
                Waiting.pause(Duration.ofMillis(100));
            }
        }
        return Optional.empty();
    }

    /** The outcome of a write. */
    private enum WriteOutcome {
        COMMITTED("committed"),
        LOST("never committed"),
        UNKNOWN("not known to be committed");

        private final String text;

        WriteOutcome(String text) {
            this.text = text;
        }
    }
}
