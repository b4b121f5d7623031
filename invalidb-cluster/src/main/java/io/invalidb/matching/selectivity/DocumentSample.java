package io.invalidb.matching.selectivity;

import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.filter.PathConstraint;
import io.invalidb.query.value.HeapSize;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;

/**
 * A bounded sample of recently written documents, from which the selectivity of constraints is
 * estimated. It stores at most 256 documents, and no large ones. Evaluating constraints on them is
 * charged to a budget. Beyond the budget the selectivity is guessed; a wrong guess costs time, but
 * no event. Single-threaded.
 */
public final class DocumentSample {

    private static final int CAPACITY = 256;

    /** Number of writes per sampled document, once there are enough. */
    private static final int INTERVAL = 16;

    /**
     * Number of new documents after which old estimates are dropped; they are also dropped whenever
     * the number of documents has doubled.
     */
    private static final int DOCUMENTS_PER_REFRESH = 64;

    private static final int MAX_PATHS = 1_000;
    private static final long MAX_DOCUMENT_BYTES = 16_000;

    private final List<BsonDocument> documents = new ArrayList<>();
    private final Map<String, PathStatistics> profiles = new HashMap<>();
    private final PeriodicStepBudget estimates;
    private int offered;
    private int kept;

    /** @param estimates budget for reading documents */
    public DocumentSample(PeriodicStepBudget estimates) {
        this.estimates = estimates;
    }

    /** Offers a written document, which must not change any more. */
    public void offer(BsonDocument document) {
        offered++;
        if ((documents.size() < CAPACITY || offered % INTERVAL == 0) && HeapSize.of(document) <= MAX_DOCUMENT_BYTES) {
            retain(document);
        }
    }

    private void retain(BsonDocument document) {
        if (documents.size() < CAPACITY) {
            documents.add(document);
        } else {
            documents.set(Math.floorMod(kept, CAPACITY), document);
        }
        kept++;
        if (kept % DOCUMENTS_PER_REFRESH == 0 || Integer.bitCount(kept) == 1) {
            profiles.clear();
        }
    }

    /**
     * Returns the estimated share of documents that satisfy the constraint: more than 0, and at
     * most 1 or slightly more.
     */
    double selectivity(PathConstraint constraint) {
        if (profiles.size() >= MAX_PATHS) {
            profiles.clear();
        }
        return profiles.computeIfAbsent(constraint.path(), this::profile).selectivity(constraint);
    }

    private PathStatistics profile(String path) {
        return estimates.run(budget -> PathStatistics.of(path, documents, budget));
    }
}
