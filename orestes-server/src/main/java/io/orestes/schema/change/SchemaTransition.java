package io.orestes.schema.change;

import io.orestes.schema.model.ClassOperation;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.Schema;
import io.orestes.schema.model.ShapeFingerprint;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The transition from one schema to another: both of them, and the classes whose objects are
 * rewritten.
 *
 * @param rewritten names of the classes whose objects changed with it, because fields were renamed,
 *     removed or converted
 */
public record SchemaTransition(Schema before, Schema after, Set<String> rewritten) {

    public SchemaTransition {
        rewritten = Set.copyOf(rewritten);
    }

    /** Returns the names of the dropped classes. */
    public Set<String> removed() {
        return before.classes().stream()
                .map(ClassSchema::name)
                .filter(name -> after.find(name).isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the names of the remaining classes that other callers than before may query. */
    public Set<String> withChangedQueryRights() {
        return before.classes().stream()
                .filter(known -> after.find(known.name()).isPresent())
                .filter(known -> !isQueryableAs(known))
                .map(ClassSchema::name)
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Returns the names of the earlier classes whose copies show other content, or to other
     * callers, than they would now.
     */
    public Set<String> withOutdatedCopies() {
        return before.classes().stream()
                .filter(known -> !isReadableAs(known) || !looksAs(known))
                .map(ClassSchema::name)
                .collect(Collectors.toUnmodifiableSet());
    }

    private boolean looksAs(ClassSchema known) {
        return after.find(known.name())
                .filter(now -> ShapeFingerprint.of(after, now).equals(ShapeFingerprint.of(before, known)))
                .isPresent();
    }

    private boolean isReadableAs(ClassSchema known) {
        return isQueryableAs(known)
                && after.get(known.name())
                        .permission(ClassOperation.LOAD)
                        .equals(known.permission(ClassOperation.LOAD));
    }

    private boolean isQueryableAs(ClassSchema known) {
        return after.find(known.name())
                .filter(now -> now.permission(ClassOperation.QUERY).equals(known.permission(ClassOperation.QUERY)))
                .isPresent();
    }
}
