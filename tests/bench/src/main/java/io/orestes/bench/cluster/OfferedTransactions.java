package io.orestes.bench.cluster;

import io.orestes.bench.client.Steps;
import io.orestes.bench.harness.Latencies;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Transactions that become due at a steady rate and begin then, or, at the limit of concurrent
 * ones, as soon as one of these has ended. Used by one event loop alone.
 */
final class OfferedTransactions {

    private final Context home;
    private final ClientLocation.Offer offer;
    private final Random random = new Random(1);
    private final Latencies commits = new Latencies();
    private final Latencies transactions = new Latencies();
    private final long begin = System.nanoTime();
    private int begun;
    private int refused;

    private OfferedTransactions(Context home, ClientLocation.Offer offer) {
        this.home = home;
        this.offer = offer;
    }

    /**
     * The result of a run.
     *
     * @param ended number of committed and aborted ones
     * @param refused number of those that a temporarily unavailable server refused
     * @param commitP50 median of the committed ones in milliseconds
     * @param commitP99 99th percentile of the committed ones in milliseconds
     * @param p50 of a whole transaction, committed or not
     * @param hits share of the reads that caches answered
     */
    record Outcome(
            int ended,
            int committed,
            int refused,
            double seconds,
            double commitP50,
            double commitP99,
            double p50,
            double hits) {

        Outcome withHits(double share) {
            return new Outcome(ended, committed, refused, seconds, commitP50, commitP99, p50, share);
        }

        /** Combines both; latencies are the means of both, weighted by their numbers. */
        Outcome and(Outcome other) {
            double share = ended / (double) Math.max(1, ended + other.ended);
            return new Outcome(
                    ended + other.ended,
                    committed + other.committed,
                    refused + other.refused,
                    seconds + other.seconds,
                    share * commitP50 + (1 - share) * other.commitP50,
                    share * commitP99 + (1 - share) * other.commitP99,
                    share * p50 + (1 - share) * other.p50,
                    share * hits + (1 - share) * other.hits);
        }

        double aborts() {
            return (ended - committed) / (double) Math.max(1, ended);
        }

        double perSecond() {
            return ended / seconds;
        }

        @Override
        public String toString() {
            return String.format(
                    "%.0f/s of %.0f ms, commit p50 %.1f and p99 %.1f ms, %.2f %% of %,d aborted, %d refused, "
                            + "%.0f %% hits",
                    perSecond(), p50, commitP50, commitP99, 100 * aborts(), ended, refused, 100 * hits);
        }
    }

    /**
     * Runs as many as are offered, or fewer if the time is too short; as many at a time as there
     * are transactors.
     */
    static Outcome run(Context home, List<? extends Transactor> transactors, ClientLocation.Offer offer)
            throws Exception {
        OfferedTransactions offered = new OfferedTransactions(home, offer);
        List<Future<Void>> all = new ArrayList<>();
        for (Transactor transactor : transactors) {
            all.add(Steps.during(home, offered::goesOn, () -> offered.next(transactor)));
        }
        var ignored = Future.all(all)
                .toCompletionStage()
                .toCompletableFuture()
                .get(offer.longest().toSeconds() + 60, TimeUnit.SECONDS);
        return offered.outcome();
    }

    private boolean goesOn() {
        return begun < offer.count()
                && System.nanoTime() - begin < offer.longest().toNanos();
    }

    private Future<?> next(Transactor transactor) {
        long due = (long) (begun++ * 1e9 / offer.perSecond());
        long wait = due - (System.nanoTime() - begin);
        return pause(wait).compose(waited -> {
            long began = System.nanoTime();
            return transactor.transact(Accounts.choose(random, offer.objects())).onSuccess(ending -> {
                switch (ending.kind()) {
                    case COMMITTED -> {
                        transactions.addNanos(System.nanoTime() - began);
                        commits.addNanos(ending.commitNanos());
                    }
                    case ABORTED -> transactions.addNanos(System.nanoTime() - began);
                    case REFUSED -> refused++;
                }
            });
        });
    }

    private Future<Void> pause(long nanos) {
        if (nanos <= 0) {
            return Future.succeededFuture();
        }
        Promise<Void> over = Promise.promise();
        long unused = home.owner().setTimer(1 + TimeUnit.NANOSECONDS.toMillis(nanos), timer -> over.complete());
        return over.future();
    }

    private Outcome outcome() {
        return new Outcome(
                transactions.count(),
                commits.count(),
                refused,
                (System.nanoTime() - begin) / 1e9,
                commits.millis(0.5),
                commits.millis(0.99),
                transactions.millis(0.5),
                0);
    }
}
