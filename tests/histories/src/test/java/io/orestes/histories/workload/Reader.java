package io.orestes.histories.workload;

import java.util.Optional;
import java.util.Random;

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

    /** The newest state or one from a cache, as it comes; nothing if nobody answers. */
    Optional<State> any(String key) {
        return dice.nextDouble() < FRESH ? fresh(key) : attempts(key);
    }

    /** The newest state, of which the history of the object is told. */
    Optional<State> fresh(String key) {
        long called = journal.now();
        Optional<State> state = attempts(key, "Cache-Control", "no-cache");
        state.ifPresent(seen -> journal.saw(journal.nextName("read "), seen, called, journal.now()));
        return state;
    }

    private Optional<State> attempts(String key, String... headers) {
        for (int i = 0; i < ATTEMPTS; i++) {
            Optional<Answer> answer = servers.get(servers.any(dice), key, headers);
            if (answer.filter(Answer::isDefinite).isPresent()) {
                tally.read();
                return Optional.of(state(key, answer.get()));
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
