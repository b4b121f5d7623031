package io.orestes.bench.caching;

import io.orestes.bench.harness.Benchmark;
import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Figure;
import io.orestes.bench.harness.Goal;
import io.orestes.read.watch.ResultFormCostModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Cached query results as objects, as ids, and as the product's rule chooses, in a simulation: 200
 * queries of 2 to 40 objects, 20 clients with caches of their own for objects and one purged cache
 * for all, 19 reads for each write. A tenth to nine tenths of a query's writes change its
 * membership. The cost of a read is counted in round trips past the shared cache, with a twentieth
 * of one for each object transferred.
 */
public final class ResultFormBenchmark implements Benchmark {

    private static final int QUERIES = 200;
    private static final int CALLERS = 20;
    private static final int STEPS = 400_000;
    private static final int READS_PER_WRITE = 19;
    private static final double TRANSFER = 0.05;

    @Override
    public String group() {
        return "caching";
    }

    @Override
    public List<String> ids() {
        return List.of(
                "result-form-cost",
                "result-form-hits",
                "result-form-hits-objects",
                "result-form-hits-ids",
                "result-form-invalidations");
    }

    @Override
    public void run(BenchmarkEnvironment lab, Consumer<Figure> report) {
        Tally objects = simulate((size, memberships, changes) -> false);
        Tally ids = simulate((size, memberships, changes) -> true);
        Tally chosen =
                simulate((size, memberships, changes) -> ResultFormCostModel.prefersIds(memberships, changes, size));
        report.accept(new Figure(
                "result-form-cost",
                chosen.cost() / Math.min(objects.cost(), ids.cost()),
                "ratio",
                Goal.atMost(1),
                String.format(
                        Locale.ROOT,
                        "cost per read by the rule ÷ the better of objects (%.4f) and ids (%.4f)",
                        objects.cost(),
                        ids.cost())));
        hits(report, "result-form-hits", chosen, "results found in the shared cache, form by the rule");
        hits(report, "result-form-hits-objects", objects, "always objects");
        hits(report, "result-form-hits-ids", ids, "always ids");
        report.accept(new Figure(
                "result-form-invalidations",
                (double) chosen.invalidations / objects.invalidations,
                "ratio",
                Goal.atMost(1),
                String.format(
                        Locale.ROOT,
                        "results invalidated by the rule ÷ always objects (%,d); always ids %,d",
                        objects.invalidations,
                        ids.invalidations)));
    }

    private static void hits(Consumer<Figure> report, String id, Tally tally, String what) {
        report.accept(new Figure(id, (double) tally.hits / tally.reads, "share", Goal.NONE, what));
    }

    private static Tally simulate(Choice choice) {
        Random random = new Random(1);
        List<Query> queries = new ArrayList<>();
        for (int i = 0; i < QUERIES; i++) {
            queries.add(new Query(2 + random.nextInt(39), 0.1 + 0.8 * random.nextDouble()));
        }
        Tally tally = new Tally();
        for (int step = 0; step < STEPS; step++) {
            Query query = queries.get(popular(random));
            if (random.nextInt(READS_PER_WRITE + 1) == 0) {
                query.write(random, tally);
            } else {
                query.read(random.nextInt(CALLERS), choice, tally);
            }
        }
        return tally;
    }

    /** Returns a query; some are read and written far more often than others. */
    private static int popular(Random random) {
        return (int) (QUERIES * Math.pow(random.nextDouble(), 3));
    }

    /** Chooses whether a result is shown as ids. */
    private interface Choice {
        boolean isIds(int size, long memberships, long changes);
    }

    private static final class Tally {
        private long reads;
        private long hits;
        private long invalidations;
        private double spent;

        double cost() {
            return spent / reads;
        }
    }

    /** One query: its objects by version, and the versions that caches have of them. */
    private static final class Query {
        private final double membershipShare;
        private final long[] versions;
        private final long[] shared;
        private final long[][] own;
        private long memberships;
        private long changes;
        private boolean isKept;
        private boolean isKeptAsIds;

        private Query(int size, double membershipShare) {
            this.membershipShare = membershipShare;
            this.versions = new long[size];
            this.shared = new long[size];
            this.own = new long[CALLERS][size];
        }

        /** A change of membership replaces one object by another. */
        private void write(Random random, Tally tally) {
            boolean isMembership = random.nextDouble() < membershipShare;
            versions[random.nextInt(versions.length)]++;
            memberships += isMembership ? 1 : 0;
            changes += isMembership ? 0 : 1;
            if (isKept && (isMembership || !isKeptAsIds)) {
                isKept = false;
                tally.invalidations++;
            }
        }

        private void read(int caller, Choice choice, Tally tally) {
            tally.reads++;
            if (isKept) {
                tally.hits++;
            } else {
                isKept = true;
                isKeptAsIds = choice.isIds(versions.length, memberships, changes);
                tally.spent += isKeptAsIds ? 1 : 1 + versions.length * TRANSFER;
            }
            if (isKeptAsIds) {
                load(caller, tally);
            }
        }

        /** Missing objects are requested concurrently: together one round trip. */
        private void load(int caller, Tally tally) {
            int transferred = 0;
            for (int i = 0; i < versions.length; i++) {
                if (own[caller][i] != versions[i] && shared[i] != versions[i]) {
                    transferred++;
                    shared[i] = versions[i];
                }
                own[caller][i] = versions[i];
            }
            tally.spent += transferred == 0 ? 0 : 1 + transferred * TRANSFER;
        }
    }
}
