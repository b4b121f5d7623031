package io.orestes.schema;

import io.orestes.model.StoredObject;
import io.orestes.store.Rewrite;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.BsonDocument;

/**
 * A change of the schema with what it takes.
 *
 * @param state what is known beside the schema afterwards
 * @param moves what it does to stored objects
 */
record PlannedChange(
        SchemaChange change, SchemaState state, List<FieldRename> renames, FieldMoves moves, Inspection inspection) {

    static PlannedChange of(
            Schema before, Schema after, SchemaState state, List<FieldRename> renames, Misfits misfits) {
        FieldMoves moves = new FieldMoves(before, after, renames);
        return new PlannedChange(
                new SchemaChange(before, after, moves.rewrites().keySet()),
                state,
                renames,
                moves,
                new Inspection(before, after, moves, misfits));
    }

    /** What is left to be done when the process that planned it is gone: everything was looked at before it was stored. */
    static PlannedChange in(StoredObject journal) {
        SchemaChange change = StoredSchema.change(journal.document());
        return of(
                change.before(),
                change.after(),
                StoredSchema.state(journal.document()),
                StoredSchema.renames(journal.document()),
                Misfits.CONVERT);
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
    Map<String, Rewrite> rewrites(SchemaPeers.Turn turn) {
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
    private record InTurn(Rewrite rewrite, SchemaPeers.Turn turn) implements Rewrite {

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
