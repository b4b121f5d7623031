package io.invalidb.matching.index;

import io.invalidb.matching.selectivity.Interval;
import org.bson.BsonDocument;

/**
 * A cheap necessary condition tried before the filter: the document's key range at a path overlaps
 * an interval. It avoids access to the filter, whose many objects are seldom in the processor's
 * cache.
 *
 * @param keys shared by all prefilters of that path
 */
record IntervalPrefilter(DocumentKeyRange keys, long from, long to) {

    static IntervalPrefilter of(DocumentKeyRange keys, Interval interval) {
        return new IntervalPrefilter(keys, interval.from(), interval.to());
    }

    /**
     * Returns whether the document may match.
     *
     * @param number identifies the document
     */
    boolean mayMatch(long number, BsonDocument document) {
        return keys.overlaps(from, to, number, document);
    }
}
