package io.orestes.schema.change;

import io.orestes.model.StoredObject;
import io.orestes.schema.migration.DataMigration;
import io.orestes.schema.migration.FieldRename;
import io.orestes.schema.migration.MisfitPolicy;
import io.orestes.schema.migration.StoredObjectCompatibilityCheck;
import io.orestes.schema.model.Schema;
import io.orestes.store.DocumentRewrite;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.BsonDocument;

/**
 * The plan of a schema change: next state, renames, data migration and compatibility check.
 *
 * @param state the replicated state of the next schema
 * @param migration the migration of stored objects
 */
public record SchemaChangePlan(
        SchemaTransition transition,
        SchemaCrdt state,
        List<FieldRename> renames,
        DataMigration migration,
        StoredObjectCompatibilityCheck compatibility) {

    public static SchemaChangePlan of(
            Schema before, Schema after, SchemaCrdt state, List<FieldRename> renames, MisfitPolicy misfitPolicy) {
        DataMigration moves = new DataMigration(before, after, renames);
        return new SchemaChangePlan(
                new SchemaTransition(before, after, moves.rewrites().keySet()),
                state,
                renames,
                moves,
                new StoredObjectCompatibilityCheck(before, after, moves, misfitPolicy));
    }

    /**
     * Returns the rest of a plan whose process has ended; the objects were checked before the
     * journal was stored.
     */
    public static SchemaChangePlan fromJournal(StoredObject journal) {
        SchemaTransition transition = StoredSchema.transition(journal.document());
        return of(
                transition.before(),
                transition.after(),
                StoredSchema.state(journal.document()),
                StoredSchema.renames(journal.document()),
                MisfitPolicy.CONVERT);
    }

    /** Returns whether neither clients nor objects are affected. */
    public boolean isEmpty() {
        return transition.after().isSameAs(transition.before());
    }

    /** Returns whether stored objects have to be rewritten, not only scanned. */
    public boolean changesObjects() {
        return !migration.isEmpty() || !transition.removed().isEmpty();
    }

    /** Returns whether other writes of such objects must be excluded meanwhile. */
    public boolean concernsObjects() {
        return !isEmpty() && (changesObjects() || compatibility.isNeeded());
    }

    /** Returns the classes of these objects. */
    public Set<String> buckets() {
        Set<String> buckets = new HashSet<>(compatibility.scans().keySet());
        buckets.addAll(transition.rewritten());
        buckets.addAll(transition.removed());
        return buckets;
    }

    /** Returns the rewrites for the store, by class, as long as the lock is valid. */
    public Map<String, DocumentRewrite> rewrites(SchemaCoordination.SchemaLock turn) {
        return migration.rewrites().entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(
                        Map.Entry::getKey, entry -> new LockedRewrite(entry.getValue(), turn)));
    }

    public BsonDocument journal() {
        return StoredSchema.journal(transition, state, renames);
    }

    public BsonDocument stored() {
        return StoredSchema.plain(transition.after(), state);
    }

    /** A rewrite that ends when another server may run the same change, or even a later one. */
    private record LockedRewrite(DocumentRewrite rewrite, SchemaCoordination.SchemaLock turn)
            implements DocumentRewrite {

        @Override
        public BsonDocument fields(BsonDocument stored) {
            turn.requireValid();
            return rewrite.fields(stored);
        }

        @Override
        public String path(String indexed) {
            return rewrite.path(indexed);
        }
    }
}
