package io.orestes.store.embedded;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.List;
import java.util.Optional;

/** A way to reach all objects that can match a query. */
sealed interface AccessPath {

    /** Hands over the objects it leads to, each once, until the visitor has enough; returns whether it wants more. */
    @CanIgnoreReturnValue
    boolean visit(View view, ObjectVisitor visitor);

    /** Whether they come in the order of their ids. */
    boolean isOrderedById();

    /** Takes one encoded object and says whether to go on. */
    interface ObjectVisitor {
        boolean visit(byte[] id, byte[] encoded);
    }

    /** Goes through all objects with ids in a range. */
    record Scan(KeyRange ids) implements AccessPath {

        @Override
        public boolean visit(View view, ObjectVisitor visitor) {
            return view.visit(Family.OBJECTS, ids, visitor::visit);
        }

        @Override
        public boolean isOrderedById() {
            return true;
        }
    }

    /**
     * Looks objects up by their ids.
     *
     * @param ids in order, without doubles
     */
    record Lookup(List<String> ids) implements AccessPath {

        @Override
        public boolean visit(View view, ObjectVisitor visitor) {
            for (String id : ids) {
                byte[] key = Documents.key(id);
                Optional<byte[]> encoded = view.get(Family.OBJECTS, key);
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
     * Follows the entries of an index.
     *
     * @param bucket all objects
     * @param several parts of the index where an object may have several entries, none within another
     * @param sole parts of the index where objects have one entry
     */
    record ByIndex(KeyRange bucket, List<KeyRange> several, List<KeyRange> sole) implements AccessPath {

        @Override
        public boolean visit(View view, ObjectVisitor visitor) {
            DistinctVisit once = new DistinctVisit(visitor);
            for (KeyRange range : several) {
                if (!view.visit(Family.INDEXES, range, (entry, none) -> followOnce(view, entry, once))) {
                    return once.finish(view, bucket);
                }
            }
            return sole.stream()
                    .allMatch(range -> view.visit(
                            Family.INDEXES,
                            range,
                            (entry, none) -> follow(view, IndexEntries.objectKey(entry), visitor)));
        }

        private static boolean followOnce(View view, byte[] entry, DistinctVisit once) {
            byte[] id = IndexEntries.objectKey(entry);
            return once.hasMet(id) || follow(view, id, once);
        }

        private static boolean follow(View view, byte[] id, ObjectVisitor visitor) {
            return view.get(Family.OBJECTS, id)
                    .map(encoded -> visitor.visit(id, encoded))
                    .orElse(true);
        }

        @Override
        public boolean isOrderedById() {
            return false;
        }
    }

    /**
     * Takes several paths, one after the other.
     *
     * @param bucket all objects
     */
    record Union(KeyRange bucket, List<AccessPath> paths) implements AccessPath {

        @Override
        public boolean visit(View view, ObjectVisitor visitor) {
            DistinctVisit once = new DistinctVisit(visitor);
            return paths.stream().allMatch(path -> path.visit(view, once)) || once.finish(view, bucket);
        }

        @Override
        public boolean isOrderedById() {
            return false;
        }
    }
}
