package io.orestes.coherence;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Writes, and finds out what came of it if there was no answer. Single-threaded. */
final class Author {

    /** After that time a request that broke off has had its effect, if it ever has one. */
    private static final Duration AFTERMATH = Duration.ofMillis(1500);

    private final World world;
    private final Wire wire;
    private final Wire origin;
    private Optional<Message> answer = Optional.empty();

    /** @param wire what to send writes by */
    Author(World world, Wire wire) {
        this.world = world;
        this.wire = wire;
        this.origin = new Wire(world.stage().serverPort());
    }

    /** Deletes an object or gives it its next state; false if that has not happened. */
    @CanIgnoreReturnValue
    boolean write(Group group, Resource object, boolean isDelete) {
        Group.Write write = group.begin(object, isDelete);
        world.journal().note(object, "write of " + describe(write) + " begins");
        world.journal().note(group.query(), "write of " + describe(write) + " to " + object.key() + " begins");
        boolean isDone = isAnswered(request(group, write)) || hasHappened(write);
        world.journal().note(object, isDone ? "committed" : "never committed");
        world.journal().note(group.query(), isDone ? "committed" : "never committed");
        if (isDone) {
            group.committed(write);
        } else {
            group.lost(write);
        }
        return isDone;
    }

    /** The answer to the last write, unless it got none. */
    Optional<Message> answer() {
        return answer;
    }

    private static String describe(Group.Write write) {
        return write.isDelete() ? Resource.GONE : String.valueOf(write.n());
    }

    private static Message request(Group group, Group.Write write) {
        String target = "/v1" + write.object().key();
        Map<String, String> headers = Map.of("host", "localhost", "content-type", "application/json");
        return write.isDelete()
                ? new Message("DELETE " + target + " HTTP/1.1", headers, "")
                : new Message("PUT " + target + " HTTP/1.1", headers, "").withBody(group.body(write.n()));
    }

    private boolean isAnswered(Message request) {
        answer = Optional.empty();
        try {
            answer = Optional.of(wire.send(request));
            return answer.get().status() / 100 == 2;
        } catch (IOException lost) {
            return false;
        }
    }

    private boolean hasHappened(Group.Write write) {
        Threads.pause(AFTERMATH);
        Message fresh = Message.get("/v1" + write.object().key()).with("cache-control", "no-cache");
        while (!world.isOver()) {
            try {
                Message found = origin.send(fresh);
                if (found.status() == 200 || found.status() == 404) {
                    return write.object().print(found.status(), found.body()).equals(describe(write));
                }
            } catch (IOException unreachable) {
                Threads.pause(Duration.ofMillis(100));
            }
        }
        return false;
    }
}
