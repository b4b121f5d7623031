package io.orestes.store.embedded;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A way to reach all objects that can match a query. */
sealed interface AccessPath {

    /** Hands over the objects it leads to, each once, until the visitor has enough. */
    void visit(View view, ObjectVisitor visitor);

    /** Whether they come in the order of their ids. */
    boolean isOrderedById();

    /** Takes one encoded object and says whether to go on. */
    interface ObjectVisitor {
        boolean visit(byte[] encoded);
    }

    /** Goes through all objects with ids in a range. */
    record Scan(KeyRange ids) implements AccessPath {

        @Override
        public void visit(View view, ObjectVisitor visitor) {
            view.visit(Family.OBJECTS, ids, (key, encoded) -> visitor.visit(encoded));
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
        public void visit(View view, ObjectVisitor visitor) {
            for (String id : ids) {
                Optional<byte[]> encoded = view.get(Family.OBJECTS, Documents.key(id));
                if (encoded.isPresent() && !visitor.visit(encoded.get())) {
                    return;
                }
            }
        }

        @Override
        public boolean isOrderedById() {
            return true;
        }
    }

    /**
     * Follows the entries of an index.
     *
     * @param ranges parts of the index, none within another
     */
    record ByIndex(List<KeyRange> ranges) implements AccessPath {

        @Override
        public void visit(View view, ObjectVisitor visitor) {
            Set<String> seen = new HashSet<>();
            for (KeyRange range : ranges) {
                if (!view.visit(Family.INDEXES, range, (key, value) -> follow(view, key, seen, visitor))) {
                    return;
                }
            }
        }

        private static boolean follow(View view, byte[] entry, Set<String> seen, ObjectVisitor visitor) {
            byte[] id = IndexEntries.objectKey(entry);
            if (IndexEntries.isOneOfSeveral(entry) && !seen.add(new String(id, StandardCharsets.US_ASCII))) {
                return true;
            }
            return view.get(Family.OBJECTS, id).map(visitor::visit).orElse(true);
        }

        @Override
        public boolean isOrderedById() {
            return false;
        }
    }
}
