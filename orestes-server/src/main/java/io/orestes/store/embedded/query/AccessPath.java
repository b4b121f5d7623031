package io.orestes.store.embedded.query;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.orestes.store.embedded.codec.StoredDocumentCodec;
import io.orestes.store.embedded.database.ColumnFamily;
import io.orestes.store.embedded.database.DatabaseSnapshot;
import io.orestes.store.embedded.database.KeyRange;
import io.orestes.store.embedded.index.IndexEntries;
import java.util.List;
import java.util.Optional;

/** An access path of a query plan: a way to reach all objects that can match a query. */
sealed interface AccessPath {

    /**
     * Passes the objects on the path to the visitor, each once, until it returns false; returns the
     * last result of the visitor.
     */
    @CanIgnoreReturnValue
    boolean visit(DatabaseSnapshot databaseSnapshot, ObjectVisitor visitor);

    /** True if the objects come in the order of their ids. */
    boolean isOrderedById();

    /** Processes one encoded object and returns true to continue. */
    interface ObjectVisitor {
        boolean visit(byte[] id, byte[] encoded);
    }

    /** An access path that scans all objects whose ids lie in a range. */
    record RangeScan(KeyRange ids) implements AccessPath {

        @Override
        public boolean visit(DatabaseSnapshot databaseSnapshot, ObjectVisitor visitor) {
            return databaseSnapshot.visit(ColumnFamily.OBJECTS, ids, visitor::visit);
        }

        @Override
        public boolean isOrderedById() {
            return true;
        }
    }

    /**
     * An access path that reads objects by their ids, in order and without duplicates.
     *
     * @param ids in order, without doubles
     */
    record IdLookup(List<String> ids) implements AccessPath {

        @Override
        public boolean visit(DatabaseSnapshot databaseSnapshot, ObjectVisitor visitor) {
            for (String id : ids) {
                byte[] key = StoredDocumentCodec.key(id);
                Optional<byte[]> encoded = databaseSnapshot.get(ColumnFamily.OBJECTS, key);
                if (encoded.isPresent() && !visitor.visit(key, encoded.get())) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public boolean isOrderedById() {
            return true;
        }
    }

    /**
     * An access path that follows the entries of one index in some ranges of keys.
     *
     * @param bucket keys of all objects of the bucket
     * @param multiEntryRanges ranges in which an object may have several entries, none within
     *     another
     * @param singleEntryRanges ranges in which each object has one entry
     */
    record IndexScan(KeyRange bucket, List<KeyRange> multiEntryRanges, List<KeyRange> singleEntryRanges)
            implements AccessPath {

        @Override
        public boolean visit(DatabaseSnapshot databaseSnapshot, ObjectVisitor visitor) {
            DeduplicatingVisitor once = new DeduplicatingVisitor(visitor);
            for (KeyRange range : multiEntryRanges) {
                if (!databaseSnapshot.visit(
                        ColumnFamily.INDEXES, range, (entry, none) -> followOnce(databaseSnapshot, entry, once))) {
                    return once.finish(databaseSnapshot, bucket);
                }
            }
            return singleEntryRanges.stream()
                    .allMatch(range -> databaseSnapshot.visit(
                            ColumnFamily.INDEXES,
                            range,
                            (entry, none) -> follow(databaseSnapshot, IndexEntries.objectKey(entry), visitor)));
        }

        private static boolean followOnce(DatabaseSnapshot databaseSnapshot, byte[] entry, DeduplicatingVisitor once) {
            byte[] id = IndexEntries.objectKey(entry);
            return once.hasVisited(id) || follow(databaseSnapshot, id, once);
        }

        private static boolean follow(DatabaseSnapshot databaseSnapshot, byte[] id, ObjectVisitor visitor) {
            return databaseSnapshot
                    .get(ColumnFamily.OBJECTS, id)
                    .map(encoded -> visitor.visit(id, encoded))
                    .orElse(true);
        }

        @Override
        public boolean isOrderedById() {
            return false;
        }
    }

    /**
     * An access path that visits the union of several paths, each object once.
     *
     * @param bucket keys of all objects of the bucket
     */
    record UnionScan(KeyRange bucket, List<AccessPath> paths) implements AccessPath {

        @Override
        public boolean visit(DatabaseSnapshot databaseSnapshot, ObjectVisitor visitor) {
            DeduplicatingVisitor once = new DeduplicatingVisitor(visitor);
            return paths.stream().allMatch(path -> path.visit(databaseSnapshot, once))
                    || once.finish(databaseSnapshot, bucket);
        }

        @Override
        public boolean isOrderedById() {
            return false;
        }
    }
}
