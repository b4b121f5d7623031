package io.orestes.store.embedded.query;

import io.orestes.store.embedded.database.ColumnFamily;
import io.orestes.store.embedded.database.DatabaseSnapshot;
import io.orestes.store.embedded.database.KeyRange;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

/**
 * A visitor that passes each object on once, although an index leads to it several times. It stores
 * the ids of at most {@value #MAX_VISITED} objects. A query that meets more scans the whole bucket
 * instead, which is then faster.
 */
final class DeduplicatingVisitor implements AccessPath.ObjectVisitor {

    static final int MAX_VISITED = 100_000;

    private final AccessPath.ObjectVisitor visitor;
    private final Set<String> met = new HashSet<>();
    private boolean isSatisfied;

    DeduplicatingVisitor(AccessPath.ObjectVisitor visitor) {
        this.visitor = visitor;
    }

    boolean hasVisited(byte[] id) {
        return met.contains(text(id));
    }

    /** Returns false also when too many objects were visited. */
    @Override
    public boolean visit(byte[] id, byte[] encoded) {
        if (met.add(text(id))) {
            isSatisfied = !visitor.visit(id, encoded);
        }
        return !isSatisfied && met.size() < MAX_VISITED;
    }

    /** Completes a visit that was ended early; returns true if the visitor wants more. */
    boolean finish(DatabaseSnapshot databaseSnapshot, KeyRange bucket) {
        return !isSatisfied
                && databaseSnapshot.visit(
                        ColumnFamily.OBJECTS, bucket, (id, encoded) -> hasVisited(id) || visitor.visit(id, encoded));
    }

    private static String text(byte[] id) {
        return new String(id, StandardCharsets.US_ASCII);
    }
}
