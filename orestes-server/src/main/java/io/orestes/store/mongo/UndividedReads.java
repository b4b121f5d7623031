package io.orestes.store.mongo;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Lets queries meet commits as a whole or not at all. A query waits for commits that are under way, and is made again when one began in the meantime;
 * one that had no luck several times, or for long, asks commits of the class to stand back for as long as it takes. Used on the store's context only.
 */
final class UndividedReads {

    private static final int PATIENT = 3;

    private final CommitAccount account;
    private final Settlement settlement;
    private final Duration longest;

    /** @param longest time after which nothing is tried again */
    UndividedReads(CommitAccount account, Settlement settlement, Duration longest) {
        this.account = account;
        this.settlement = settlement;
        this.longest = longest;
    }

    /** A query that sees each commit as a whole or not at all; it may be asked several times. */
    <T> Future<T> read(String bucket, Supplier<Future<T>> query) {
        return new Attempts<>(bucket, query).next();
    }

    /** One that only begins when no commit is under way. */
    <T> Future<T> visit(String bucket, Supplier<Future<T>> visit) {
        return account.look(bucket)
                .compose(view -> settlement.overAll(bucket, view.underWay()))
                .compose(over -> visit.get());
    }

    private final class Attempts<T> {

        private final String bucket;
        private final Supplier<Future<T>> query;
        private final long begun = System.nanoTime();
        private long roundBegun = begun;
        private long longestRound;
        private int rounds;

        private Attempts(String bucket, Supplier<Future<T>> query) {
            this.bucket = bucket;
            this.query = query;
        }

        private Future<T> next() {
            return account.look(bucket).compose(this::read);
        }

        private Future<T> read(CommitAccount.View before) {
            if (!before.underWay().isEmpty()) {
                return settlement.overAll(bucket, before.underWay()).compose(over -> again());
            }
            return query.get().compose(result -> account.look(bucket)
                    .compose(after -> after.last().equals(before.last()) ? Future.succeededFuture(result) : again()));
        }

        /** A round that only waited counts, too: among several who commit there may never be a moment without any. */
        private Future<T> again() {
            long now = System.nanoTime();
            rounds++;
            longestRound = Math.max(longestRound, now - roundBegun);
            roundBegun = now;
            if (now - begun > longest.toNanos()) {
                return Future.failedFuture(Refusals.unavailable("Others write too much to " + bucket));
            }
            return isPatient(now) ? next() : account.hold(bucket, enough()).compose(held -> next());
        }

        private boolean isPatient(long now) {
            return rounds < PATIENT && now - begun < longest.toNanos() / 4;
        }

        /** So that those are over that have begun, and the query too. */
        private Duration enough() {
            return Duration.ofNanos(Math.min(2 * longestRound, longest.toNanos() / 2))
                    .plusMillis(20);
        }
    }
}
