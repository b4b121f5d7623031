package io.orestes.store.mongo;

import io.orestes.flow.Pauses;
import io.orestes.model.ApiException;
import io.orestes.model.ObjectRef;
import io.orestes.model.Outcome;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.store.Batch;
import io.orestes.store.Expectations;
import io.orestes.store.Gates;
import io.orestes.store.WriteGuard;
import io.vertx.core.CompositeFuture;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Lets writes meet the newest state, and meet it again when another process was faster. Used on the store's context only.
 */
final class Writes {

    private final Vertx vertx;
    private final Commands commands;
    private final BulkInserter inserter;
    private final LookUps newest;
    private final Optional<Confirmation> confirmation;
    private final Gathering<ObjectRef, Long> ends;
    private final Changes changes;
    private final Obstacles obstacles;
    private final Gates gates;
    private final Turns turns;
    private final Visitors visitors;
    private final Indexes indexes;
    private final Transactions transactions;
    private final Duration longest;
    private final InDoubtWrites inDoubt;
    private final RecentStates recent = new RecentStates();
    private final RandomGenerator random = new SplittableRandom();

    /**
     * @param newest reads of the newest states
     * @param confirmation of what changes nothing; empty if the server has no linearizable reads
     * @param ends reads of when the last lives of objects ended, 0 where that is unknown or long ago
     * @param longest time after which nothing is tried again
     */
    Writes(
            Vertx vertx,
            Buckets buckets,
            Publishers publishers,
            Tombstones tombstones,
            Commands commands,
            BulkInserter inserter,
            LookUps newest,
            Optional<Confirmation> confirmation,
            Gathering<ObjectRef, Long> ends,
            Changes changes,
            Obstacles obstacles,
            Gates gates,
            Turns turns,
            Visitors visitors,
            Indexes indexes,
            Transactions transactions,
            Duration longest) {
        this.vertx = vertx;
        this.commands = commands;
        this.inserter = inserter;
        this.newest = newest;
        this.confirmation = confirmation;
        this.ends = ends;
        this.changes = changes;
        this.obstacles = obstacles;
        this.gates = gates;
        this.turns = turns;
        this.visitors = visitors;
        this.indexes = indexes;
        this.transactions = transactions;
        this.longest = longest;
        this.inDoubt = new InDoubtWrites(
                vertx,
                buckets,
                publishers,
                tombstones,
                change -> transactions.make(change, commands),
                InDoubtWrites.MAX_TIME);
    }

    /** One write of one object. */
    Future<List<Outcome>> one(Batch.Write write, WriteGuard guard) {
        WriteGuard gated = gated(write, guard);
        Set<ObjectRef> refs = Set.of(write.ref());
        boolean[] isFirst = {true};
        return inTurn(refs, () -> {
            Future<Optional<Found>> before = isFirst[0] ? supposed(write, gated) : newest.find(write.ref());
            isFirst[0] = false;
            return before.map(state ->
                            state.map(found -> Map.of(write.ref(), found)).orElse(Map.of()))
                    .compose(states -> confirmed(states, refs, some -> plan(write, gated, some)))
                    .compose(this::alone);
        });
    }

    /**
     * A guess at the state for the first attempt: absence for an insertion that no other program can have made, else the state that
     * this process wrote last. A wrong guess matches nothing in MongoDB, and the next attempt reads the newest state.
     */
    private Future<Optional<Found>> supposed(Batch.Write write, WriteGuard guard) {
        if (write instanceof Batch.Insertion && !Ids.mayBeForeign(write.ref())) {
            return Future.succeededFuture(Optional.empty());
        }
        boolean isRead = write instanceof Batch.Revision || write instanceof Batch.Insertion;
        Optional<Found> known = isRead ? Optional.empty() : recent.of(write.ref());
        return known.filter(found -> isAllowed(write, guard, found.object()))
                .map(state -> Future.succeededFuture(Optional.of(state)))
                .orElseGet(() -> newest.find(write.ref()));
    }

    private static boolean isAllowed(Batch.Write write, WriteGuard guard, StoredObject state) {
        try {
            guard.check(write.ref(), Optional.of(state));
            return true;
        } catch (ApiException refused) {
            return false;
        }
    }

    /** What a write is to change; nothing if it deletes what is absent. Fails if the state does not allow it. */
    private Future<List<Change>> plan(Batch.Write write, WriteGuard guard, Map<ObjectRef, Found> states) {
        Optional<Found> state = Optional.ofNullable(states.get(write.ref()));
        guard.check(write.ref(), state.map(Found::object));
        Future<Long> end = Changes.beginsLife(write, state) ? ends.ask(write.ref()) : Future.succeededFuture(0L);
        return end.map(ended -> changes.of(write, state, ended).stream().toList());
    }

    /**
     * A plan by the states of the primary, {@linkplain Confirmation confirmed} as far as its commit
     * does not prove it.
     */
    private Future<List<Change>> confirmed(
            Map<ObjectRef, Found> states,
            Set<ObjectRef> refs,
            Function<Map<ObjectRef, Found>, Future<List<Change>>> planner) {
        Future<List<Change>> plan = Future.succeededFuture(states).compose(planner);
        return confirmation.map(reads -> reads.confirm(plan, refs, planner)).orElse(plan);
    }

    private Future<Outcome> make(Change change) {
        return (change instanceof Change.Creation creation ? inserter.insert(creation) : makeAlone(change))
                .recover(failure ->
                        failure instanceof InDoubt ? inDoubt.decide(change, failure) : Future.failedFuture(failure))
                .onSuccess(outcome -> recent.note(outcome, change.writes()))
                .onFailure(failure -> recent.forget(change.ref()))
                .recover(failure -> obstacles.explain(failure, change));
    }

    /** A deletion is committed together with its tombstone, by which it is recognised if its answer is lost. */
    private Future<Outcome> makeAlone(Change change) {
        return change instanceof Change.Removal ? transactions.make(change, commands) : commands.make(change);
    }

    /** Evicts the remembered state of an object that another program may have written. */
    void forget(ObjectRef ref) {
        recent.forget(ref);
    }

    /** Evicts the remembered state of an object that a later one has followed, whoever wrote it. */
    void evictBefore(Outcome later) {
        recent.evictBefore(later);
    }

    /** All of these or none. */
    Future<List<Outcome>> all(Batch batch) {
        Set<ObjectRef> ordered = Stream.concat(
                        batch.reads().stream().map(Batch.Read::ref),
                        batch.writes().stream().map(Batch.Write::ref))
                .collect(Collectors.toUnmodifiableSet());
        // premises are shared by many batches, which need not wait for one another
        Set<ObjectRef> refs = Stream.concat(
                        ordered.stream(), batch.premises().stream().map(Batch.Premise::ref))
                .collect(Collectors.toUnmodifiableSet());
        return inTurn(ordered, () -> all(batch, refs)).onComplete(done -> ordered.forEach(recent::forget));
    }

    /** What was read has to hold at one moment, also if next to nothing is written, and several finds are several moments. */
    private Future<List<Outcome>> all(Batch batch, Set<ObjectRef> refs) {
        if (batch.writes().size() <= 1
                && batch.reads().size() <= 1
                && batch.premises().isEmpty()) {
            return all(batch, refs, (attempt, all) -> alone(all), commands).map(Writes::outcomes);
        }
        return together(batch, refs, this::atOnce)
                .recover(failure -> Refusals.isOfOneWrite(failure)
                        ? together(batch, refs, this::oneByOne)
                        : Future.failedFuture(failure));
    }

    /** By a transaction of MongoDB. */
    private Future<List<Outcome>> together(Batch batch, Set<ObjectRef> refs, Making making) {
        return transactions
                .run(session -> all(batch, refs, making, commands.in(session)))
                .map(Writes::outcomes);
    }

    private static List<Outcome> outcomes(List<Change> all) {
        return all.stream().map(Change::outcome).toList();
    }

    private Future<List<Change>> all(Batch batch, Set<ObjectRef> refs, Making making, Commands attempt) {
        return attempt.current(refs)
                .compose(states -> confirmed(states, refs, some -> plan(batch, some, attempt)))
                .compose(all -> making.make(attempt, all).map(made -> all));
    }

    /** What a batch is to change. Fails if the states do not allow it. */
    private Future<List<Change>> plan(Batch batch, Map<ObjectRef, Found> states, Commands attempt) {
        requireCurrent(batch, states);
        return changes(batch, states, attempt);
    }

    private void requireCurrent(Batch batch, Map<ObjectRef, Found> states) {
        Expectations expectations = new Expectations(
                batch.writer(), ref -> Optional.ofNullable(states.get(ref)).map(Found::object));
        batch.writes()
                .forEach(write -> expectations.compare(write.ref(), gated(write, guardInBatch(write, batch.writer()))));
        batch.reads().forEach(expectations::compare);
        batch.premises().forEach(expectations::compare);
        expectations.requireMet();
    }

    private Future<List<Change>> changes(Batch batch, Map<ObjectRef, Found> states, Commands attempt) {
        List<ObjectRef> born = batch.writes().stream()
                .filter(write -> Changes.beginsLife(write, Optional.ofNullable(states.get(write.ref()))))
                .map(Batch.Write::ref)
                .toList();
        Future<Map<ObjectRef, Long>> ends =
                born.isEmpty() ? Future.succeededFuture(Map.of()) : attempt.endsOfLastLives(born);
        return ends.map(
                ended -> batch.writes().stream()
                        .flatMap(write -> changes
                                .of(
                                        write,
                                        Optional.ofNullable(states.get(write.ref())),
                                        ended.getOrDefault(write.ref(), 0L))
                                .stream())
                        .toList());
    }

    /** A way to make several changes, each of which has to be made. */
    private interface Making {
        Future<?> make(Commands attempt, List<Change> all);
    }

    /** By one request for each bucket. */
    private Future<?> atOnce(Commands attempt, List<Change> all) {
        Map<String, List<Change>> byBucket = all.stream()
                .collect(Collectors.groupingBy(
                        change -> change.ref().bucket(), LinkedHashMap::new, Collectors.toList()));
        Future<?> made = Future.succeededFuture();
        for (Map.Entry<String, List<Change>> bucket : byBucket.entrySet()) {
            made = made.compose(before -> attempt.makeAll(bucket.getKey(), bucket.getValue()));
        }
        return made;
    }

    /** One after the other, which tells what is wrong with which. */
    private Future<?> oneByOne(Commands attempt, List<Change> all) {
        Future<?> made = Future.succeededFuture();
        for (Change change : all) {
            made = made.compose(before -> attempt.make(change))
                    .recover(failure -> obstacles.explain(failure, change, all));
        }
        return made;
    }

    /** One at most, and in no transaction of several. */
    private Future<List<Outcome>> alone(List<Change> all) {
        return Future.all(all.stream().map(this::make).toList()).map(CompositeFuture::list);
    }

    private static WriteGuard guardInBatch(Batch.Write write, Principal writer) {
        return write instanceof Batch.Revision revision ? WriteGuard.inBatch(revision, writer) : guard(write, writer);
    }

    /** What lets a write that is made alone go ahead. */
    static WriteGuard guard(Batch.Write write, Principal writer) {
        if (write instanceof Batch.Insertion) {
            return WriteGuard.absent();
        }
        if (write instanceof Batch.Replacement replacement) {
            return WriteGuard.of(replacement.precondition(), writer);
        }
        return write instanceof Batch.Revision revision
                ? WriteGuard.existing(revision.precondition(), writer)
                : WriteGuard.of(((Batch.Deletion) write).precondition(), writer);
    }

    private WriteGuard gated(Batch.Write write, WriteGuard guard) {
        if (write instanceof Batch.Insertion insertion) {
            return gates.before(guard, insertion.form());
        }
        if (write instanceof Batch.Replacement replacement) {
            return gates.before(guard, replacement.form());
        }
        return write instanceof Batch.Revision revision
                ? gates.before(guard, revision.form())
                : gates.beforeAnyForm(guard, ((Batch.Deletion) write).form());
    }

    /** Counts the attempts among the changes to all buckets concerned, one inside of the other. */
    private Future<List<Outcome>> inTurn(Set<ObjectRef> refs, Supplier<Future<List<Outcome>>> attempt) {
        Set<String> ids = refs.stream().map(ObjectRef::id).collect(Collectors.toUnmodifiableSet());
        // who has waited for so long is answered at once in his turn: those behind must not wait one by one
        long end = System.nanoTime() + longest.toNanos();
        Supplier<Future<List<Outcome>>> visit =
                () -> System.nanoTime() - end > 0 ? Future.failedFuture(tooMany()) : new Attempts(attempt, end).next();
        for (String bucket : refs.stream().map(ObjectRef::bucket).collect(Collectors.toSet())) {
            Supplier<Future<List<Outcome>>> inner = visit;
            visit = () -> visitors.during(bucket, inner);
        }
        return turns.take(ids, visit);
    }

    private static ApiException tooMany() {
        return Refusals.unavailable("Too many others write the same");
    }

    /**
     * What is attempted until no other is faster. Pauses also keep a server from being asked for something
     * again and again that somebody holds who is gone.
     */
    private final class Attempts {

        private final Supplier<Future<List<Outcome>>> attempt;
        private final Pauses pauses;

        /** @param end of its time, by {@link System#nanoTime()} */
        private Attempts(Supplier<Future<List<Outcome>>> attempt, long end) {
            this.attempt = attempt;
            this.pauses = new Pauses(vertx, end, random);
        }

        private Future<List<Outcome>> next() {
            return Future.<Void>succeededFuture()
                    .compose(now -> attempt.get())
                    .recover(failure -> failure instanceof Overtaken overtaken
                            ? madeWay(overtaken).compose(done -> pause()).compose(over -> next())
                            : Future.failedFuture(failure));
        }

        private Future<Void> pause() {
            return pauses.areOver() ? Future.failedFuture(tooMany()) : pauses.next();
        }
    }

    private Future<?> madeWay(Overtaken overtaken) {
        return overtaken.parallel().<Future<?>>map(indexes::reduce).orElseGet(Future::succeededFuture);
    }
}
