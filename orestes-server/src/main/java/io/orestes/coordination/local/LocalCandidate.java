package io.orestes.coordination.local;

import io.orestes.coordination.Term;
import java.util.function.Consumer;

/**
 * A candidate for the leadership of one task among the servers of this process. Compared by
 * identity.
 */
final class LocalCandidate {

    private final LocalCoordinator server;
    private final String task;
    private final Consumer<Term> begin;

    LocalCandidate(LocalCoordinator server, String task, Consumer<Term> begin) {
        this.server = server;
        this.task = task;
        this.begin = begin;
    }

    LocalCoordinator server() {
        return server;
    }

    String task() {
        return task;
    }

    void begin(Term term) {
        begin.accept(term);
    }
}
