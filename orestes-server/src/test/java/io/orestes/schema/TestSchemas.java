package io.orestes.schema;

import io.orestes.json.JsonReader;
import io.orestes.model.Principal;
import io.orestes.schema.codec.ObjectCodec;
import io.orestes.schema.edit.SchemaEditor;
import io.orestes.schema.model.BuiltInClasses;
import io.orestes.schema.model.Schema;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Schemas and JSON for tests; texts may use single quotes. */
public final class TestSchemas {

    /** A user with no role but loggedin. */
    public static final Principal ANN = new Principal(Set.of("/db/User/ann", "/db/Role/3"), false);

    public static final Schema BUILT_IN = Schema.of(BuiltInClasses.ALL.values());

    private TestSchemas() {}

    public static BsonValue json(String text) {
        return JsonReader.read(text.replace('\'', '"'));
    }

    public static BsonDocument object(String text) {
        return json(text).asDocument();
    }

    /** Returns the built-in classes, with these descriptors merged by an admin. */
    public static Schema with(String descriptors) {
        return merged(BUILT_IN, descriptors, Principal.SERVER);
    }

    /** Returns the codec of a schema that is not stored. */
    public static ObjectCodec codec(Schema schema) {
        return new ObjectCodec(schema);
    }

    public static Schema merged(Schema before, String request, Principal editor) {
        return new SchemaEditor(before, editor).merge(json(request)).build();
    }
}
