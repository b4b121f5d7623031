package io.orestes.histories.workload;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.bson.BsonDocument;

/**
 * The result of a write of an object with lives.
 *
 * @param version that the object got; empty if the answer has none
 * @param value that the object got; empty if the answer has none
 * @param time at which the state was committed, by a server's clock; empty if the answer has none
 */
record LifeResult(Kind kind, int status, OptionalLong version, OptionalInt value, OptionalLong time) {

    private static final int NO_CONTENT = 204;

    private static final LifeResult UNKNOWN =
            new LifeResult(Kind.UNKNOWN, 0, OptionalLong.empty(), OptionalInt.empty(), OptionalLong.empty());

    /** The outcome of the write. */
    enum Kind {
        DONE,
        REFUSED,
        UNKNOWN
    }

    /** Returns the result of a single request. */
    static LifeResult of(Optional<Answer> answer) {
        return answer.map(given -> of(
                        given.status(),
                        given.status() < NO_CONTENT ? given.object() : new BsonDocument(),
                        StateTag.timeIn(given)))
                .orElse(UNKNOWN);
    }

    /** Returns the result of one of several operations in a request. */
    static LifeResult of(BsonDocument result) {
        return of(result.getNumber("status").intValue(), result, OptionalLong.empty());
    }

    private static LifeResult of(int status, BsonDocument state, OptionalLong time) {
        return switch (status) {
            case 200, 201 -> {
                if (version(state).isEmpty()) {
                    throw new AssertionError("A write is answered without a version: " + state);
                }
                yield new LifeResult(Kind.DONE, status, version(state), value(state), time);
            }
            case NO_CONTENT -> done(status);
            case 404, 409, 412 ->
                new LifeResult(Kind.REFUSED, status, OptionalLong.empty(), OptionalInt.empty(), OptionalLong.empty());
            default -> {
                if (status < 500) {
                    throw new AssertionError("A write is answered with " + status + " " + state);
                }
                yield UNKNOWN;
            }
        };
    }

    private static LifeResult done(int status) {
        return new LifeResult(Kind.DONE, status, OptionalLong.empty(), OptionalInt.empty(), OptionalLong.empty());
    }

    static LifeResult unknown() {
        return UNKNOWN;
    }

    private static OptionalLong version(BsonDocument state) {
        return state.containsKey("version")
                ? OptionalLong.of(state.getNumber("version").longValue())
                : OptionalLong.empty();
    }

    private static OptionalInt value(BsonDocument state) {
        return state.containsKey("n") ? OptionalInt.of(state.getNumber("n").intValue()) : OptionalInt.empty();
    }
}
