package io.orestes.schema.change;

import io.orestes.schema.migration.DataMigration;
import io.orestes.schema.migration.FieldRename;
import io.orestes.schema.model.BuiltInClasses;
import io.orestes.schema.model.ClassDescriptorCodec;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.FieldSchema;
import io.orestes.schema.model.Schema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonDocument;

/**
 * The stored form of the schema, or the journal of a schema change that is not finished. An earlier
 * version of the server may have written it.
 */
public final class StoredSchema {

    private static final String CLASSES = "classes";
    /**
     * Member of a journal only, while stored objects are migrated: the classes before, and the
     * renames.
     */
    private static final String BEFORE = "before";

    private static final String RENAMES = "renames";

    private StoredSchema() {}

    /** Returns the stored form of a schema that all stored objects follow. */
    public static BsonDocument plain(Schema schema, SchemaCrdt state) {
        return state.appendTo(new BsonDocument(CLASSES, schema.descriptors()));
    }

    /** Returns the journal of a change that stored objects do not follow yet. */
    static BsonDocument journal(SchemaTransition transition, SchemaCrdt state, List<FieldRename> renames) {
        return plain(transition.after(), state)
                .append(BEFORE, transition.before().descriptors())
                .append(
                        RENAMES,
                        new BsonArray(renames.stream().map(FieldRename::toBson).toList()));
    }

    public static boolean isJournal(BsonDocument stored) {
        return stored.containsKey(BEFORE);
    }

    /** Returns the schema that is or will be in force. */
    public static Schema schema(BsonDocument stored) {
        return read(stored.getArray(CLASSES));
    }

    /** Returns the replicated state beside the schema. */
    public static SchemaCrdt state(BsonDocument stored) {
        return SchemaCrdt.read(stored, schema(stored));
    }

    /** Returns the transition that a journal records. */
    static SchemaTransition transition(BsonDocument journal) {
        Schema before = read(journal.getArray(BEFORE));
        Schema after = schema(journal);
        return new SchemaTransition(
                before,
                after,
                new DataMigration(before, after, renames(journal)).rewrites().keySet());
    }

    /** Returns the renames of a journal. */
    static List<FieldRename> renames(BsonDocument journal) {
        return journal.getArray(RENAMES).stream()
                .map(rename -> FieldRename.of(rename.asDocument()))
                .toList();
    }

    /**
     * Returns the stored classes, completed by built-in classes and fields that are newer than the
     * document.
     */
    private static Schema read(BsonArray descriptors) {
        Set<String> embedded = descriptors.stream()
                .map(value -> value.asDocument())
                .filter(ClassDescriptorCodec::isEmbedded)
                .map(ClassDescriptorCodec::className)
                .collect(Collectors.toSet());
        Map<String, ClassSchema> classes = new LinkedHashMap<>(BuiltInClasses.ALL);
        descriptors.stream()
                .map(value -> ClassDescriptorCodec.parse((BsonDocument) value, embedded::contains))
                .forEach(schema -> classes.put(schema.name(), completed(schema)));
        return Schema.of(classes.values());
    }

    private static ClassSchema completed(ClassSchema stored) {
        ClassSchema result = stored;
        ClassSchema builtIn = BuiltInClasses.ALL.get(stored.name());
        if (builtIn != null) {
            for (FieldSchema field : builtIn.fields()) {
                result = result.ownField(field.name()).isPresent() ? result : result.withField(field);
            }
        }
        return result;
    }
}
