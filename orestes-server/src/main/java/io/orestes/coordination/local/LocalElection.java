package io.orestes.coordination.local;

import io.vertx.core.Context;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The leader election for one task, won by the earliest candidate that is a member. Guarded by the
 * group.
 */
final class LocalElection {

    private final Context home;
    private final Set<LocalCandidate> candidates = new LinkedHashSet<>();
    private @Nullable LocalTerm term;
    private long terms;

    LocalElection(Context home) {
        this.home = home;
    }

    void enter(LocalCandidate candidate) {
        candidates.add(candidate);
        replaceLeader();
    }

    void leave(LocalCandidate candidate) {
        candidates.remove(candidate);
        if (term != null && term.isOf(candidate)) {
            end(term);
        }
        replaceLeader();
    }

    /**
     * Ends the term of a leader that is no member any more, and begins that of a candidate that is
     * one.
     */
    void replaceLeader() {
        if (term != null && !term.isCurrent()) {
            end(term);
        }
        if (term == null) {
            next().ifPresent(this::begin);
        }
    }

    /** Returns the identity of the leader. */
    Optional<String> leader() {
        return Optional.ofNullable(term).map(LocalTerm::leader);
    }

    private Optional<LocalCandidate> next() {
        return candidates.stream()
                .filter(candidate -> !candidate.server().membership().isEnded())
                .findFirst();
    }

    private void begin(LocalCandidate leader) {
        terms++;
        LocalTerm begun = new LocalTerm(leader, leader.server().membership(), terms);
        term = begun;
        home.runOnContext(later -> leader.begin(begun));
    }

    private void end(LocalTerm ending) {
        term = null;
        ending.end();
    }
}
