package io.orestes.store.embedded.query;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.invalidb.query.sort.SortOrder;
import io.orestes.model.StoredObject;
import io.orestes.store.IndexSpec;
import io.orestes.store.StoreQuery;
import io.orestes.store.embedded.database.ColumnFamily;
import io.orestes.store.embedded.database.DatabaseSnapshot;
import io.orestes.store.embedded.index.IndexComponent;
import io.orestes.store.embedded.index.IndexEntries;
import io.orestes.store.embedded.index.ValueEncoding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * An index scan in the sort order of a query that stops once the page is complete. Objects with
 * several entries, e.g. because of an array, come first and in no order. The entries of the others
 * form runs of values that the index does not distinguish: within a run they are in no order, but
 * from run to run values grow.
 */
final class OrderedIndexScan {

    /**
     * Maximum number of objects examined for each one of the page. Where few match, a scan of all
     * objects is faster than following entries.
     */
    private static final int MAX_EXAMINED_PER_RESULT = 20;

    private static final int MIN_EXAMINED = 1_000;

    private final AccessPath.IndexScan path;
    private final List<IndexComponent> sorted;
    private final boolean isBackwards;
    private final SortOrder order;
    private final long mostExamined;

    private OrderedIndexScan(
            IndexCandidate use, List<IndexSpec.IndexedField> sorted, boolean isBackwards, StoreQuery query) {
        this.path = use.path();
        this.sorted = sorted.stream().map(IndexComponent::new).toList();
        this.isBackwards = isBackwards;
        this.order = query.sort();
        this.mostExamined = use.rank() > 0
                ? Long.MAX_VALUE
                : MIN_EXAMINED + MAX_EXAMINED_PER_RESULT * (Math.min(Integer.MAX_VALUE, query.skip()) + query.limit());
    }

    /**
     * Creates a scan; empty if the index has another order after the values that it is used for.
     */
    static Optional<OrderedIndexScan> of(IndexCandidate use, StoreQuery query) {
        Optional<List<IndexSpec.IndexedField>> wanted = wanted(query.sort());
        if (wanted.isEmpty() || !use.isOnePoint()) {
            return Optional.empty();
        }
        int count = wanted.get().size();
        return IntStream.rangeClosed(0, use.equalities())
                .filter(from -> from + count <= use.index().spec().keys().size())
                .boxed()
                .flatMap(from -> of(use, from, wanted.get(), query).stream())
                .findFirst();
    }

    private static Optional<OrderedIndexScan> of(
            IndexCandidate use, int from, List<IndexSpec.IndexedField> wanted, StoreQuery query) {
        List<IndexSpec.IndexedField> keys = use.index().spec().keys().subList(from, from + wanted.size());
        if (keys.equals(wanted)) {
            return Optional.of(new OrderedIndexScan(use, keys, false, query));
        }
        return keys.equals(wanted.stream().map(OrderedIndexScan::reversed).toList())
                ? Optional.of(new OrderedIndexScan(use, keys, true, query))
                : Optional.empty();
    }

    /**
     * Returns the sort keys of the page without ids; empty if there are none or the order is by
     * distance.
     */
    private static Optional<List<IndexSpec.IndexedField>> wanted(SortOrder order) {
        List<IndexSpec.IndexedField> keys = new ArrayList<>();
        for (Map.Entry<String, BsonValue> key : order.toBson().entrySet()) {
            if (!key.getValue().isNumber()) {
                return Optional.empty();
            }
            if (!key.getKey().equals(StoredObject.ID)) {
                keys.add(new IndexSpec.IndexedField(
                        key.getKey(), key.getValue().asNumber().intValue() > 0));
            }
        }
        return keys.isEmpty() ? Optional.empty() : Optional.of(keys);
    }

    private static IndexSpec.IndexedField reversed(IndexSpec.IndexedField key) {
        return new IndexSpec.IndexedField(key.path(), key.kind() == IndexSpec.IndexKind.DESCENDING);
    }

    /** The consumer of an ordered scan, which decodes objects and collects the matches. */
    interface ScanConsumer {

        BsonDocument examine(byte[] encoded);

        /** True if the object matches. */
        boolean matches(BsonDocument document);

        /** Adds a match; returns true if it is among the first so far. */
        @CanIgnoreReturnValue
        boolean offer(BsonDocument match);

        /** True if the page is full. */
        boolean isFull();
    }

    /**
     * Scans until the page is complete. Returns false if it gave up: the consumer then lacks
     * objects of the page.
     */
    boolean scan(DatabaseSnapshot databaseSnapshot, ScanConsumer scanConsumer) {
        ScanRun walk = new ScanRun(scanConsumer);
        new AccessPath.IndexScan(path.bucket(), path.multiEntryRanges(), List.of())
                .visit(databaseSnapshot, (id, encoded) -> walk.meet(scanConsumer.examine(encoded)));
        boolean unused = path.singleEntryRanges().stream()
                .allMatch(range -> isBackwards
                        ? databaseSnapshot.visitReversed(
                                ColumnFamily.INDEXES, range, (entry, none) -> walk.follow(databaseSnapshot, entry))
                        : databaseSnapshot.visit(
                                ColumnFamily.INDEXES, range, (entry, none) -> walk.follow(databaseSnapshot, entry)));
        return !walk.gaveUp;
    }

    private final class ScanRun {

        private final ScanConsumer scanConsumer;
        private List<byte[]> last = List.of();
        private long examined;
        private boolean hasMetSeveral;
        private boolean hasRefused;
        private boolean gaveUp;

        ScanRun(ScanConsumer scanConsumer) {
            this.scanConsumer = scanConsumer;
        }

        private boolean meet(BsonDocument document) {
            if (scanConsumer.matches(document)) {
                hasMetSeveral = true;
                scanConsumer.offer(document);
            }
            return true;
        }

        private boolean follow(DatabaseSnapshot databaseSnapshot, byte[] entry) {
            return databaseSnapshot
                    .get(ColumnFamily.OBJECTS, IndexEntries.objectKey(entry))
                    .map(encoded -> goOn(scanConsumer.examine(encoded)))
                    .orElse(true);
        }

        /**
         * Continues with an object of one entry. Gives up at arrays within arrays, which have one
         * entry but another sort order.
         */
        private boolean goOn(BsonDocument document) {
            examined++;
            gaveUp = examined > mostExamined || !order.isBySoleValues(document);
            return !gaveUp && !isBeyond(document) && take(document);
        }

        /**
         * True if all further entries come after all visited ones, and none of them can belong to
         * the page.
         */
        private boolean isBeyond(BsonDocument document) {
            List<byte[]> next =
                    sorted.stream().map(component -> component.soleOf(document)).toList();
            boolean isLater = isLater(next);
            last = next;
            return isLater && (hasRefused || (!hasMetSeveral && scanConsumer.isFull()));
        }

        /**
         * True if the values begin a new run. After values that the index does not distinguish, a
         * larger value may belong to an object that sorts earlier.
         */
        private boolean isLater(List<byte[]> next) {
            for (int i = 0; i < last.size(); i++) {
                if (!Arrays.equals(last.get(i), next.get(i))) {
                    return true;
                }
                if (!ValueEncoding.isExact(next.get(i))) {
                    return false;
                }
            }
            return false;
        }

        private boolean take(BsonDocument document) {
            hasRefused |= scanConsumer.matches(document) && !scanConsumer.offer(document);
            return true;
        }
    }
}
