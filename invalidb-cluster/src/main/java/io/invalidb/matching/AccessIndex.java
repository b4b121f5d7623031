package io.invalidb.matching;

import io.invalidb.model.MatchEvent;
import io.invalidb.model.MatchType;
import io.invalidb.model.Stamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.query.Allowance;
import io.invalidb.query.Filter;
import io.invalidb.query.PathConstraint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The queries of one bucket. A write is matched against those whose {@link Access} its after-image satisfies, those that hold
 * its object, and those without any access, each filter once. A filter that is often evaluated in vain is entered anew, by what
 * the {@link Sample} has learnt since. Single-threaded.
 */
final class AccessIndex {

    /** For each filter that is entered anew because of a write so many were evaluated on it, which takes as long. */
    private static final int EVALUATIONS_PER_MOVE = 16;

    private static final int LEAST_MOVES = 4;
    private static final int MOST_GUARDED = 1_000;

    private final OpenTable<Filter, Candidate> candidates = new OpenTable<>(Candidate::filter, Filter::hashCode);
    private final Map<String, ValuesAt> paths = new HashMap<>();
    private final Map<String, KeysAt> guarded = new HashMap<>();
    private final Bag others = new Bag();
    private final Map<String, Set<LiveQuery>> holders = new HashMap<>();
    private final Sample sample;

    /** What was found for the write at hand. */
    private final List<Candidate> found = new ArrayList<>();

    private final Consumer<Candidate> finder = this::find;
    private final Allowance allowance;
    private final EffortMeter meter;

    private int removals;
    private long writes;

    /** For the write at hand. */
    private int evaluations;

    /**
     * Without queries.
     *
     * @param allowance for evaluating filters
     * @param estimates for choosing by what they are found
     * @param meter that of the cell
     */
    AccessIndex(Allowance allowance, Allowance estimates, EffortMeter meter) {
        this.allowance = allowance;
        this.meter = meter;
        this.sample = new Sample(estimates);
    }

    void add(LiveQuery query) {
        Candidate same = candidates.get(query.filter());
        if (same == null) {
            candidates.put(query);
            enter(query);
        } else {
            group(same).add(query);
        }
        query.ids().forEach(id -> hold(id, query));
    }

    /** The group of a candidate, which takes its place if it is a single query. */
    private QueryGroup group(Candidate candidate) {
        if (candidate instanceof QueryGroup present) {
            return present;
        }
        QueryGroup group = new QueryGroup(candidate.filter());
        candidate.leave();
        candidate.forEachQuery(group::add);
        candidates.put(group);
        enter(group);
        return group;
    }

    /** By one constraint: only where there is a crowd are two worth their memory, and most filters never meet one. */
    private void enter(Candidate candidate) {
        enter(candidate, Access.of(candidate.filter().requirement(), sample, 1));
    }

    private void enter(Candidate candidate, Optional<Access> access) {
        candidate.enteredAt(access.map(found -> enter(found, candidate)).orElseGet(() -> others.add(candidate)));
        candidate.guardedBy(access.flatMap(Access::guard).flatMap(this::guard));
    }

    private Place enter(Access access, Candidate candidate) {
        if (access.anyOf().size() == 1) {
            PathConstraint only = access.anyOf().get(0);
            return at(only).enterAlone(only, candidate, access.further());
        }
        return Place.Several.of(access.anyOf().stream()
                .map(constraint -> at(constraint).enter(constraint, candidate, access.further()))
                .toList());
    }

    /** Only on the first so many paths: those that are no longer used stay. */
    private Optional<Guard> guard(PathConstraint.Range range) {
        if (guarded.size() >= MOST_GUARDED && !guarded.containsKey(range.path())) {
            return Optional.empty();
        }
        return Optional.of(Guard.of(keysAt(range.path()), Interval.of(range)));
    }

    private KeysAt keysAt(String path) {
        return guarded.computeIfAbsent(path, same -> new KeysAt(same, allowance));
    }

    private ValuesAt at(PathConstraint constraint) {
        return paths.computeIfAbsent(constraint.path(), ValuesAt::new);
    }

    void remove(LiveQuery query) {
        query.ids().forEach(id -> release(id, query));
        Candidate candidate = query.candidate();
        query.leave();
        if (!(candidate instanceof QueryGroup group) || group.isEmpty()) {
            candidate.leave();
            var unused = candidates.remove(query.filter());
            forgetUnusedPaths();
        }
    }

    /** So seldom that looking at all of them takes constant time for each removal. */
    private void forgetUnusedPaths() {
        if (++removals >= paths.size()) {
            paths.values().removeIf(ValuesAt::isEmpty);
            removals = 0;
        }
    }

    /** Makes the query forget a state, if that is the one it holds. */
    void forget(LiveQuery query, String id, Stamp stamp) {
        if (query.forget(id, stamp)) {
            release(id, query);
        }
    }

    boolean isEmpty() {
        return candidates.isEmpty();
    }

    /** Matches a write; a filter that throws fails its queries, which the caller removes. */
    void onWrite(WriteEvent write, MatchOutcome outcome) {
        findAll(write);
        evaluations = 0;
        boolean someAreImpatient = false;
        for (int i = 0; i < found.size(); i++) {
            someAreImpatient |= apply(write, found.get(i), outcome);
        }
        meter.matched(found.size(), evaluations, outcome.events().size());
        if (someAreImpatient) {
            enterAnew();
        }
        found.forEach(Candidate::forgetFound);
        found.clear();
    }

    private void findAll(WriteEvent write) {
        writes++;
        holders.getOrDefault(write.id(), Set.of()).forEach(query -> find(query.candidate()));
        if (write instanceof WriteEvent.Upsert upsert) {
            sample.offer(upsert.afterImage());
            paths.values().forEach(at -> at.find(upsert.afterImage(), finder, allowance));
            others.forEach(finder);
        }
    }

    private void find(Candidate candidate) {
        if (candidate.find()) {
            found.add(candidate);
        }
    }

    /** Says whether the candidate was evaluated in vain too often. */
    private boolean apply(WriteEvent write, Candidate candidate, MatchOutcome outcome) {
        if (!candidate.isNews(write)) {
            return false;
        }
        try {
            boolean matches = write instanceof WriteEvent.Upsert upsert && matches(candidate, upsert);
            candidate.forEachQuery(query -> apply(write, query, matches, outcome));
            return !matches && candidate.wasInVain();
        } catch (RuntimeException | StackOverflowError e) {
            candidate.forEachQuery(query -> outcome.failed().add(new FailedQuery(query.spec(), e)));
            return false;
        }
    }

    private boolean matches(Candidate candidate, WriteEvent.Upsert upsert) {
        if (!candidate.mayMatch(writes, upsert.afterImage())) {
            return false;
        }
        evaluations++;
        return candidate.filter().matches(upsert.afterImage(), allowance);
    }

    private void apply(WriteEvent write, LiveQuery query, boolean matches, MatchOutcome outcome) {
        query.apply(write, matches, allowance).ifPresent(type -> {
            if (type == MatchType.ADD) {
                hold(write.id(), query);
            } else if (type == MatchType.REMOVE) {
                release(write.id(), query);
            }
            outcome.events().add(new MatchEvent(query.spec().id(), type, write));
        });
    }

    /** The others wait for the next write that finds them. */
    private void enterAnew() {
        int moves = Math.max(LEAST_MOVES, found.size() / EVALUATIONS_PER_MOVE);
        for (int i = 0; i < found.size() && moves > 0; i++) {
            Candidate candidate = found.get(i);
            if (candidate.isImpatient()) {
                candidate.leave();
                enter(candidate, Access.of(candidate.filter().requirement(), sample, candidates.size()));
                candidate.chosenAnew();
                forgetUnusedPaths();
                moves--;
            }
        }
    }

    private void hold(String id, LiveQuery query) {
        holders.computeIfAbsent(id, unused -> new LinkedHashSet<>(2)).add(query);
    }

    private void release(String id, LiveQuery query) {
        holders.computeIfPresent(id, (unused, queries) -> queries.remove(query) && queries.isEmpty() ? null : queries);
    }
}
