package io.orestes.schema;

import io.orestes.model.Precondition;
import io.orestes.model.StoredObject;
import io.orestes.schema.change.SchemaCrdt;
import io.orestes.schema.change.StoredSchema;
import io.orestes.schema.codec.AggregateRowCodec;
import io.orestes.schema.codec.ObjectCodec;
import io.orestes.schema.migration.StoredObjectCompatibilityCheck;
import io.orestes.schema.model.BuiltInClasses;
import io.orestes.schema.model.Schema;
import java.util.Set;

/**
 * An immutable schema with its codecs and the version it is stored under.
 *
 * @param version version of the stored object; 0 if it was never stored
 */
record SchemaSnapshot(Schema schema, SchemaCrdt state, ObjectCodec codec, AggregateRowCodec rows, long version) {

    SchemaSnapshot(Schema schema, SchemaCrdt state, long version) {
        this(schema, state, new ObjectCodec(schema), new AggregateRowCodec(schema), version);
    }

    /** Returns the schema that is or will be in force. */
    static SchemaSnapshot of(StoredObject stored) {
        return new SchemaSnapshot(
                StoredSchema.schema(stored.document()), StoredSchema.state(stored.document()), stored.version());
    }

    /** Returns the built-in classes, which are in force until a schema is stored. */
    static SchemaSnapshot builtIn() {
        Schema schema = Schema.of(BuiltInClasses.ALL.values());
        return new SchemaSnapshot(schema, SchemaCrdt.of(0, schema, Set.of()), 0);
    }

    /**
     * Returns the snapshot with a codec that refuses objects incompatible with the inspected
     * schema.
     */
    SchemaSnapshot guarded(StoredObjectCompatibilityCheck compatibilityCheck) {
        return new SchemaSnapshot(schema, state, new ObjectCodec(schema, compatibilityCheck::require), rows, version);
    }

    SchemaSnapshot unguarded() {
        return new SchemaSnapshot(schema, state, version);
    }

    SchemaSnapshot withVersion(long newVersion) {
        return new SchemaSnapshot(schema, state, codec, rows, newVersion);
    }

    /** Returns the precondition that the stored schema is unchanged. */
    Precondition precondition() {
        return version == 0 ? new Precondition.ObjectAbsent() : new Precondition.ExactVersion(version);
    }
}
