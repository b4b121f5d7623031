package io.orestes.schema;

import io.orestes.model.StoredObject;
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
 * @param state the replicated state beside the schema afterwards
 * @param moves the migration of stored objects
 */
record SchemaChangePlan(
        SchemaChange change,
        ReplicatedSchema state,
        List<FieldRename> renames,
        DataMigration moves,
        CompatibilityCheck inspection) {

    static SchemaChangePlan of(
            Schema before, Schema after, ReplicatedSchema state, List<FieldRename> renames, MisfitPolicy misfitPolicy) {
        DataMigration moves = new DataMigration(before, after, renames);
        return new SchemaChangePlan(
                new SchemaChange(before, after, moves.rewrites().keySet()),
                state,
                renames,
                moves,
                new CompatibilityCheck(before, after, moves, misfitPolicy));
    }

    /**
     * What is left to be done when the process that planned it is gone: everything was looked at
     * before it was stored.
     */
    static SchemaChangePlan in(StoredObject journal) {
        SchemaChange change = StoredSchema.change(journal.document());
        return of(
                change.before(),
                change.after(),
                StoredSchema.state(journal.document()),
                StoredSchema.renames(journal.document()),
                MisfitPolicy.CONVERT);
    }

    /** Whether clients and objects notice nothing. */
    boolean isEmpty() {
        return change.after().isSameAs(change.before());
    }

    /** Whether stored objects have to be changed, beyond being looked at. */
    boolean changesObjects() {
        return !moves.isEmpty() || !change.removed().isEmpty();
    }

    /** Whether nobody else may write such objects meanwhile. */
    boolean concernsObjects() {
        return !isEmpty() && (changesObjects() || inspection.isNeeded());
    }

    /** The classes of these objects. */
    Set<String> buckets() {
        Set<String> buckets = new HashSet<>(inspection.looks().keySet());
        buckets.addAll(change.rewritten());
        buckets.addAll(change.removed());
        return buckets;
    }

    /** What the store has to do, by class, for as long as the turn is current. */
    Map<String, DocumentRewrite> rewrites(SchemaCoordination.SchemaLock turn) {
        return moves.rewrites().entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> new InTurn(entry.getValue(), turn)));
    }

    BsonDocument journal() {
        return StoredSchema.journal(change, state, renames);
    }

    BsonDocument stored() {
        return StoredSchema.plain(change.after(), state);
    }

    /** Ends when another server may be at the same change, or even at a later one. */
    private record InTurn(DocumentRewrite rewrite, SchemaCoordination.SchemaLock turn) implements DocumentRewrite {

        @Override
        public BsonDocument fields(BsonDocument stored) {
            turn.requireCurrent();
            return rewrite.fields(stored);
        }

        @Override
        public String path(String indexed) {
            return rewrite.path(indexed);
        }
    }
}
