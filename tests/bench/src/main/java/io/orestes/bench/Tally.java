package io.orestes.bench;

/** What a group of users did in some time. Used by one event loop alone. */
final class Tally {

    private long operations;
    private long nanos;
    private long objects;
    private long staleObjects;
    private long queries;
    private long staleQueries;
    private long hits;
    private long ownHits;
    private long begin = System.nanoTime();
    private long end;

    void operation(long duration) {
        operations++;
        nanos += duration;
    }

    void object(boolean isStale) {
        objects++;
        staleObjects += isStale ? 1 : 0;
    }

    void query(boolean isStale) {
        queries++;
        staleQueries += isStale ? 1 : 0;
    }

    void source(Browser.Read read) {
        hits += read.isHit() ? 1 : 0;
        ownHits += read.isOwn() ? 1 : 0;
    }

    /** Where reads were answered. */
    String sources() {
        double reads = Math.max(1, objects + queries);
        return String.format(
                "%.1f %% of reads answered by browsers, %.1f %% by Varnish, %.1f %% by the server",
                100 * ownHits / reads, 100 * (hits - ownHits) / reads, 100 - 100 * hits / reads);
    }

    void begin() {
        begin = System.nanoTime();
    }

    void end() {
        end = System.nanoTime();
    }

    double perSecond() {
        return operations * 1e9 / (end - begin);
    }

    /** Mean duration of an operation. */
    double millis() {
        return nanos / 1e6 / operations;
    }

    /** Share of the object reads that returned a state which had been replaced before they began. */
    double staleObjects() {
        return staleObjects / (double) Math.max(1, objects);
    }

    /** The same for query results, of which one old member is enough. */
    double staleQueries() {
        return staleQueries / (double) Math.max(1, queries);
    }
}
