package io.invalidb.matching;

import io.invalidb.query.CellBudget;
import io.invalidb.query.HeapSize;
import io.invalidb.query.PathConstraint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;

/**
 * A bounded sample of recently written documents, from which the selectivity of constraints is
 * estimated. It stores at most 256 documents, and no large ones. Evaluating constraints on them
 * costs an allowance. What the allowance does not cover is guessed; a wrong guess costs time, but
 * no event. Single-threaded.
 */
final class DocumentSample {

    private static final int CAPACITY = 256;

    /** Once there are enough, one write in so many is kept. */
    private static final int INTERVAL = 16;

    /**
     * After so many new documents, and whenever their number has doubled, the old estimates are
     * forgotten.
     */
    private static final int RENEWED = 64;

    private static final int MOST_PROFILES = 1_000;
    private static final long MOST_BYTES = 16_000;

    private final List<BsonDocument> documents = new ArrayList<>();
    private final Map<String, PathStatistics> profiles = new HashMap<>();
    private final CellBudget estimates;
    private int offered;
    private int kept;

    /** @param estimates what it may take to look at documents */
    DocumentSample(CellBudget estimates) {
        this.estimates = estimates;
    }

    /** Looks at a document that was written; it must not change any more. */
    void offer(BsonDocument document) {
        offered++;
        if ((documents.size() < CAPACITY || offered % INTERVAL == 0) && HeapSize.of(document) <= MOST_BYTES) {
            keep(document);
        }
    }

    private void keep(BsonDocument document) {
        if (documents.size() < CAPACITY) {
            documents.add(document);
        } else {
            documents.set(Math.floorMod(kept, CAPACITY), document);
        }
        kept++;
        if (kept % RENEWED == 0 || Integer.bitCount(kept) == 1) {
            profiles.clear();
        }
    }

    /**
     * The share of documents that satisfy the constraint, as far as can be known: more than 0, and
     * at most 1 or little more.
     */
    double share(PathConstraint constraint) {
        if (profiles.size() >= MOST_PROFILES) {
            profiles.clear();
        }
        return profiles.computeIfAbsent(constraint.path(), this::profile).share(constraint);
    }

    private PathStatistics profile(String path) {
        return estimates.grant(budget -> PathStatistics.of(path, documents, budget));
    }
}
