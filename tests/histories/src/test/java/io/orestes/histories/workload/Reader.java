package io.orestes.histories.workload;

import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;

/** Reads objects through any server, fresh or from its caches. */
final class Reader {

    private static final int ATTEMPTS = 4;
    private static final double FRESH = 0.4;

    private final Servers servers;
    private final Journal journal;
    private final Random dice;
    private final Tally tally;

    Reader(Servers servers, Journal journal, Tally tally, Random dice) {
        this.servers = servers;
        this.journal = journal;
        this.tally = tally;
        this.dice = dice;
    }

    /** Reads the newest state or a cached one; empty if no server answers. */
    Optional<State> any(String key) {
        return dice.nextDouble() < FRESH
                ? fresh(key)
                : definite(() -> answer(key)).map(answer -> state(key, answer));
    }

    /** Reads the newest state and records it in the history of the object. */
    Optional<State> fresh(String key) {
        return freshAnswer(key).map(answer -> state(key, answer));
    }

    /** Reads the tag of the newest state and records it in the history of the object. */
    Optional<StateTag> freshTag(String key) {
        return freshAnswer(key).map(answer -> new StateTag(state(key, answer).version(), StateTag.timeIn(answer)));
    }

    private Optional<Answer> freshAnswer(String key) {
        return definite(() -> {
            long called = journal.now();
            Optional<Answer> answer = answer(key, "Cache-Control", "no-cache");
            answer.filter(Answer::isDefinite)
                    .ifPresent(seen -> journal.saw(
                            journal.nextName("read "), state(key, seen), StateTag.timeIn(seen), called, journal.now()));
            return answer;
        });
    }

    private Optional<Answer> answer(String key, String... headers) {
        return servers.get(servers.any(dice), key, headers);
    }

    private Optional<Answer> definite(Supplier<Optional<Answer>> attempt) {
        for (int i = 0; i < ATTEMPTS; i++) {
            Optional<Answer> answer = attempt.get().filter(Answer::isDefinite);
            if (answer.isPresent()) {
                tally.read();
                return answer;
            }
        }
        return Optional.empty();
    }

    static State state(String key, Answer answer) {
        return switch (answer.status()) {
            case 200, 201 -> State.of(key, answer.object());
            case 404 -> State.absent(key);
            default -> throw new AssertionError(key + " is answered with " + answer);
        };
    }
}
