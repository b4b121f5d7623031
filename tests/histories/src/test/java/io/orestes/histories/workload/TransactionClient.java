package io.orestes.histories.workload;

import io.orestes.histories.check.Operation;
import io.orestes.histories.check.Transaction;
import io.orestes.histories.check.Transaction.Outcome;
import io.orestes.support.process.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** One client: runs transactions, and between them reads and writes outside of any. */
final class TransactionClient implements Runnable {

    private static final double SINGLE_WRITES = 0.12;
    private static final double SINGLE_READS = 0.08;
    private static final int MOST_OBJECTS = 4;
    private static final Duration BREATH = Duration.ofMillis(100);

    /**
     * Time before the end of a transaction's identity in which it is uncertain whether servers
     * still know it.
     */
    private static final Duration LAST_MOMENTS = Duration.ofSeconds(2);

    private final String name;
    private final Servers servers;
    private final Keys keys;
    private final Journal journal;
    private final Tally tally;
    private final Reader reader;
    private final BooleanSupplier isOver;
    private final Random dice;
    private final Copies copies = new Copies();

    TransactionClient(
            String name, Servers servers, Keys keys, Journal journal, Tally tally, BooleanSupplier isOver, long seed) {
        this.name = name;
        this.servers = servers;
        this.keys = keys;
        this.journal = journal;
        this.tally = tally;
        this.isOver = isOver;
        this.dice = new Random(seed);
        this.reader = new Reader(servers, journal, tally, dice);
    }

    @Override
    public void run() {
        while (!isOver.getAsBoolean()) {
            double chance = dice.nextDouble();
            if (chance < SINGLE_WRITES) {
                writeOne(keys.any(dice));
            } else if (chance < SINGLE_WRITES + SINGLE_READS) {
                reader.fresh(keys.any(dice)).ifPresent(copies::keep);
            } else {
                transact();
            }
        }
    }

    private void transact() {
        Optional<String> tid = begin();
        if (tid.isPresent()) {
            plan().ifPresent(commit -> commit(tid.get(), commit));
        } else {
            Waiting.pause(BREATH);
        }
    }

    private Optional<String> begin() {
        return servers.send(servers.any(dice), "POST", "/transaction", "{}", Servers.SOON)
                .filter(answer -> answer.status() == 201)
                .map(answer -> answer.object().getString("tid").getValue());
    }

    /** Reads what the transaction needs; empty if a read fails. */
    private Optional<Commit> plan() {
        Commit commit = new Commit();
        for (String key : someKeys()) {
            if (dice.nextInt(5) == 0) {
                commit.update(key, newValues(key));
                continue;
            }
            Optional<State> state = copies.of(key, dice).or(() -> reader.any(key));
            if (state.isEmpty()) {
                return Optional.empty();
            }
            copies.keep(state.get());
            add(commit, state.get());
        }
        return Optional.of(commit);
    }

    private Set<String> someKeys() {
        Set<String> some = new LinkedHashSet<>();
        int count = 1 + dice.nextInt(MOST_OBJECTS);
        for (int i = 0; i < count; i++) {
            some.add(keys.any(dice));
        }
        return some;
    }

    private void add(Commit commit, State state) {
        switch (dice.nextInt(5)) {
            case 0 -> {
                commit.read(state);
                commit.update(state.key(), newValues(state.key()));
            }
            case 1, 2 -> commit.replace(state, keys.nextValue(state.key()));
            default -> commit.read(state);
        }
    }

    /** Returns one value, or sometimes two for a list. */
    private List<Integer> newValues(String key) {
        List<Integer> values = new ArrayList<>(List.of(keys.nextValue(key)));
        if (Keys.isList(key) && dice.nextInt(3) == 0) {
            values.add(keys.nextValue(key));
        }
        return values;
    }

    private void commit(String tid, Commit commit) {
        String transaction = journal.nextName("T") + " of " + name;
        String body = commit.body();
        long called = journal.now();
        int server = servers.any(dice);
        Optional<Answer> answer = Optional.empty();
        int attempts = 0;
        while (answer.isEmpty() && !isOver(tid)) {
            attempts++;
            answer = servers.send(server, "PUT", "/transaction/" + tid + "/committed", body, Servers.LATER)
                    .filter(Answer::isDefinite);
            server = servers.any(dice);
            if (answer.isEmpty()) {
                Waiting.pause(BREATH);
            }
        }
        ended(transaction + " " + tid, commit, answer, called, attempts > 1);
    }

    /** Returns true from the identity's last moments on, by the clocks of both sides. */
    private static boolean isOver(String tid) {
        return System.currentTimeMillis() > Long.parseLong(tid.substring(0, 12), 16) - LAST_MOMENTS.toMillis();
    }

    private void ended(
            String transaction, Commit commit, Optional<Answer> answer, long called, boolean isSettledLater) {
        Outcome outcome = answer.map(TransactionClient::outcome).orElse(Outcome.UNKNOWN);
        // a repeated answer to a commit has the current versions of partial updates
        Map<String, Long> versions = outcome == Outcome.COMMITTED && !isSettledLater
                ? answer.map(Commit::versions).orElseThrow()
                : new HashMap<>();
        commit.note(journal, transaction, outcome, versions, called);
        tally.transaction(outcome, isSettledLater);
        commit.written().forEach(copies::drop);
        if (outcome == Outcome.COMMITTED) {
            commit.replaced().forEach(copies::keep);
        } else if (outcome == Outcome.ABORTED) {
            tally.status(answer.orElseThrow().status());
            stale(answer.orElseThrow()).forEach(copies::drop);
        }
    }

    private static Outcome outcome(Answer answer) {
        return switch (answer.status()) {
            case 200 -> Outcome.COMMITTED;
            case 404, 409, 412, 472 -> Outcome.ABORTED;
            default -> throw new AssertionError("A commit is answered with " + answer);
        };
    }

    private static List<String> stale(Answer answer) {
        return answer.status() != 412
                ? List.of()
                : answer.object().getDocument("data").getArray("stale").stream()
                        .map(id -> id.asString().getValue())
                        .toList();
    }

    /**
     * Writes one object outside of any transaction: for the known version, for any, or a part of
     * it.
     */
    private void writeOne(String key) {
        Optional<State> known = copies.of(key, dice).filter(state -> state.version() > 0);
        int value = keys.nextValue(key);
        String write = journal.nextName("W") + " of " + name;
        long called = journal.now();
        Optional<Answer> answer = known.isPresent()
                ? put(known.get().with(value))
                : servers.send(servers.any(dice), "POST", key, Commit.operations(key, value), Servers.LATER);
        note(write, key, known, value, answer.filter(Answer::isDefinite), called);
    }

    private Optional<Answer> put(State after) {
        return servers.send(
                servers.any(dice),
                "PUT",
                after.key(),
                "{%s}".formatted(after.fields()),
                Servers.LATER,
                "If-Match",
                "\"%d\"".formatted(after.version() - 1));
    }

    private void note(
            String write, String key, Optional<State> known, int value, Optional<Answer> answer, long called) {
        Outcome outcome = answer.map(TransactionClient::outcomeOfOne).orElse(Outcome.UNKNOWN);
        long answered = journal.now();
        Optional<State> after =
                answer.filter(given -> outcome == Outcome.COMMITTED).map(given -> Reader.state(key, given));
        List<Operation> operations = new ArrayList<>();
        known.ifPresent(state -> operations.add(state.read()));
        operations.add(State.write(key, after.map(State::version).orElse(0L), value));
        after.filter(state -> Keys.isList(key)).ifPresent(state -> operations.add(state.read()));
        journal.note(new Transaction(write, Transaction.Kind.SINGLE, outcome, called, answered, operations));
        tally.single(outcome);
        if (outcome != Outcome.ABORTED) {
            journal.wrote(
                    write,
                    key,
                    known.map(state -> OptionalLong.of(state.version())).orElse(OptionalLong.empty()),
                    value,
                    after.map(state -> OptionalLong.of(state.version())).orElse(OptionalLong.empty()),
                    called,
                    after.isPresent() ? OptionalLong.of(answered) : OptionalLong.empty());
        }
        after.ifPresentOrElse(copies::keep, () -> copies.drop(key));
    }

    private static Outcome outcomeOfOne(Answer answer) {
        return switch (answer.status()) {
            case 200 -> Outcome.COMMITTED;
            case 404, 412 -> Outcome.ABORTED;
            default -> throw new AssertionError("A write is answered with " + answer);
        };
    }
}
