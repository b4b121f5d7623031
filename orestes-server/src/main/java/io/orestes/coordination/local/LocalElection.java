package io.orestes.coordination.local;

import io.orestes.coordination.LeaderTerm;
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
    private @Nullable Leader leader;
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
        if (leader != null && leader.candidate() == candidate) {
            depose(leader);
        }
        replaceLeader();
    }

    /**
     * Ends the term of a leader that is no member any more, and begins that of a candidate that is
     * one.
     */
    void replaceLeader() {
        if (leader != null && leader.membership().isEnded()) {
            depose(leader);
        }
        if (leader == null) {
            next().ifPresent(this::elect);
        }
    }

    /** Returns the identity of the leader. */
    Optional<String> leader() {
        return Optional.ofNullable(leader)
                .map(elected -> elected.membership().member().id());
    }

    private Optional<LocalCandidate> next() {
        return candidates.stream()
                .filter(candidate -> !candidate.server().membership().isEnded())
                .findFirst();
    }

    private void elect(LocalCandidate candidate) {
        terms++;
        LocalMembership membership = candidate.server().membership();
        LeaderTerm term = new LeaderTerm(terms, () -> !membership.isEnded());
        leader = new Leader(candidate, membership, term);
        home.runOnContext(later -> candidate.begin(term));
    }

    private void depose(Leader deposed) {
        leader = null;
        deposed.term().end();
    }

    /** An elected candidate with the membership that its term depends on. */
    private record Leader(LocalCandidate candidate, LocalMembership membership, LeaderTerm term) {}
}
