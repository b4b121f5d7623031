package io.invalidb.matching.index;

import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.filter.FieldPath;
import io.invalidb.query.value.OrderPrefix;
import org.bson.BsonDocument;

/**
 * The range of the order keys at one path of the current document, memoised for all prefilters on
 * it. Single-threaded.
 */
final class DocumentKeyRange {

    private final FieldPath path;
    private final PeriodicStepBudget periodicStepBudget;
    private long write = -1;
    private long least;
    private long greatest;

    DocumentKeyRange(String path, PeriodicStepBudget periodicStepBudget) {
        this.path = FieldPath.parse(path);
        this.periodicStepBudget = periodicStepBudget;
    }

    /**
     * Returns whether the interval of a document touches another one.
     *
     * @param number identifies the document
     */
    boolean overlaps(long from, long to, long number, BsonDocument document) {
        if (write != number) {
            write = number;
            lookAt(document);
        }
        return least <= to && greatest >= from;
    }

    private void lookAt(BsonDocument document) {
        least = Long.MAX_VALUE;
        greatest = Long.MIN_VALUE;
        try {
            path.forEachValue(document, value -> widen(OrderPrefix.of(value)), periodicStepBudget.openShared(1));
        } catch (RuntimeException | StackOverflowError e) {
            // If reading the document fails here, every filter has to be evaluated to see whether
            // it fails, too.
            least = Long.MIN_VALUE;
            greatest = Long.MAX_VALUE;
        } finally {
            periodicStepBudget.closeShared();
        }
    }

    private void widen(long key) {
        least = Math.min(least, key);
        greatest = Math.max(greatest, key);
    }
}
