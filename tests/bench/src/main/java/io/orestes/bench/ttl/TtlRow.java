package io.orestes.bench.ttl;

import java.util.Locale;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt64;
import org.bson.BsonString;

/**
 * The result of one policy on one trace; shares are of all reads from 0 to 1.
 *
 * @param hits reads that needed no request, with the filter
 * @param stale of these the reads of objects written since the filter was loaded
 * @param hitsWithoutFilter reads that would have needed no request without the filter
 * @param staleWithoutFilter of these the reads of objects written since they were loaded
 * @param invalidations writes of objects that some browser may have cached
 * @param invalidatedWrites such writes as a share of all writes
 * @param staleKeys in the filter, on average over time
 * @param fill share of the filter's bits that are set, on average
 * @param medianError of the times to live against the correct ones, relative to these
 */
record TtlRow(
        String trace,
        String policy,
        double hits,
        double stale,
        double hitsWithoutFilter,
        double staleWithoutFilter,
        long invalidations,
        double invalidatedWrites,
        double staleKeys,
        double fill,
        double medianError) {

    static final String HEAD = String.format(
            Locale.ROOT,
            "%-8s %-12s %8s %8s %12s %12s %14s %10s %8s %8s",
            "trace",
            "policy",
            "hits",
            "stale",
            "hits*",
            "stale*",
            "invalidations",
            "in filter",
            "fill",
            "error");

    String line() {
        return String.format(
                Locale.ROOT,
                "%-8s %-12s %7.2f%% %7.2f%% %11.2f%% %11.2f%% %14d %10.0f %7.2f%% %8.2f",
                trace,
                policy,
                100 * hits,
                100 * stale,
                100 * hitsWithoutFilter,
                100 * staleWithoutFilter,
                invalidations,
                staleKeys,
                100 * fill,
                medianError);
    }

    BsonDocument json() {
        return new BsonDocument("trace", new BsonString(trace))
                .append("policy", new BsonString(policy))
                .append("hits", new BsonDouble(hits))
                .append("stale", new BsonDouble(stale))
                .append("hitsWithoutFilter", new BsonDouble(hitsWithoutFilter))
                .append("staleWithoutFilter", new BsonDouble(staleWithoutFilter))
                .append("invalidations", new BsonInt64(invalidations))
                .append("invalidatedWrites", new BsonDouble(invalidatedWrites))
                .append("staleKeys", new BsonDouble(staleKeys))
                .append("fill", new BsonDouble(fill))
                .append("medianError", new BsonDouble(medianError));
    }
}
