package io.orestes.schema.codec;

import io.orestes.json.JsonWriter;
import io.orestes.model.Acl;
import io.orestes.model.ObjectETagCodec;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.FieldSchema;
import io.orestes.schema.model.Schema;
import io.orestes.schema.model.ShapeFingerprint;
import io.orestes.schema.type.FieldType;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The codec of objects between wire form (protocol §8.1) and stored form, for one schema.
 * Immutable; a new schema has a new codec.
 */
public final class ObjectCodec {

    private static final byte[] VERSION = ascii("\",\"version\":");
    private static final byte[] ACL = ascii(",\"acl\":");
    private static final byte[] CREATED_AT = ascii(",\"createdAt\":");
    private static final byte[] UPDATED_AT = ascii(",\"updatedAt\":");
    private static final byte[] ID = ascii("{\"id\":\"");

    private final Schema schema;
    private final ValueDecoder decoder;
    private final WireValueEncoder encoder;
    private final ObjectValidator objectValidator;
    private final BiConsumer<ClassSchema, BsonDocument> nextSchemaCheck;
    private final Map<String, Shape> shapes = new HashMap<>();

    public ObjectCodec(Schema schema) {
        this(schema, (type, stored) -> {});
    }

    /** @param coming refuses objects that would be invalid under the next schema */
    public ObjectCodec(Schema schema, BiConsumer<ClassSchema, BsonDocument> coming) {
        this.schema = schema;
        this.decoder = new ValueDecoder(schema);
        this.encoder = new WireValueEncoder(schema);
        this.objectValidator = new ObjectValidator(schema);
        this.nextSchemaCheck = coming;
        schema.classes().forEach(type -> shapes.put(type.name(), Shape.of(schema, type)));
    }

    /**
     * Returns the fields to store for a wire object of the class: every field, {@code null} where
     * the body has none, and {@code acl} unless public. Fields that the server maintains are
     * ignored. Fails with {@code INVALID_TYPE_VALUE} on unknown fields, on values of the wrong type
     * and as {@link #requireValid} does, with {@code INVALID_PERMISSION_MODIFICATION} on a bad
     * {@code acl}.
     */
    public BsonDocument decode(ClassSchema type, BsonDocument body) {
        body.keySet().forEach(name -> requireKnown(type, name));
        BsonDocument fields = new BsonDocument();
        Acl acl = Acl.fromBson(body.get(StoredObject.ACL, BsonNull.VALUE));
        acl.requireIds();
        if (!acl.equals(Acl.PUBLIC)) {
            fields.append(StoredObject.ACL, acl.toBson());
        }
        for (FieldSchema field : schema.fields(type)) {
            BsonValue value = body.get(field.name(), BsonNull.VALUE);
            fields.append(field.name(), decoder.decode(field.type(), value, field.name()));
        }
        requireValid(type, fields);
        return fields;
    }

    /**
     * Fails with {@code INVALID_TYPE_VALUE}, naming the path in the message and in the data, unless
     * the stored form of an object satisfies all constraints of its class. To be called for every
     * state that {@link #decode} did not create.
     */
    public void requireValid(ClassSchema type, BsonDocument stored) {
        objectValidator.require(type, stored);
        nextSchemaCheck.accept(type, stored);
    }

    /** Returns the stored value of one field, as {@code decode} would. */
    public BsonValue decodeField(ClassSchema type, String field, BsonValue value) {
        return schema.field(type, field)
                .map(known -> decoder.decode(known.type(), value, field))
                .orElseThrow(() -> ValueDecoder.unknownField(type, field));
    }

    /** Returns the schema of this codec. */
    public Schema schema() {
        return schema;
    }

    /**
     * Returns the stored form of a value of any type; fails with {@code INVALID_TYPE_VALUE}.
     *
     * @param path position of the value in the object, for messages
     */
    public BsonValue decodeValue(FieldType type, BsonValue value, String path) {
        return decoder.decode(type, value, path);
    }

    /**
     * Returns the stored spelling of a map key, given as a value of its type or as text; fails with
     * {@code INVALID_TYPE_VALUE}.
     */
    public String decodeKey(FieldType keyType, BsonValue key, String path) {
        return decoder.key(keyType, key, path);
    }

    /** Returns the client's form of a stored value, which defines comparisons. */
    public BsonValue encodeValue(FieldType type, BsonValue stored) {
        return encoder.encode(type, stored);
    }

    /** Returns the wire form: metadata, then all fields of the class, {@code null} where unset. */
    public BsonDocument encode(StoredObject object) {
        BsonDocument stored = object.document();
        BsonDocument wire = encodeMetadata(object);
        for (RenderedField field : shape(object.ref()).fields) {
            wire.append(field.name, encoder.encode(field.type, stored.get(field.name)));
        }
        return wire;
    }

    /** Returns the part of the wire form that the server maintains. */
    public BsonDocument encodeMetadata(StoredObject object) {
        BsonDocument stored = object.document();
        return new BsonDocument("id", new BsonString(object.ref().id()))
                .append(StoredObject.VERSION, new BsonInt64(object.version()))
                .append(StoredObject.ACL, stored.get(StoredObject.ACL, BsonNull.VALUE))
                .append(StoredObject.CREATED_AT, stored.get(StoredObject.CREATED_AT))
                .append(StoredObject.UPDATED_AT, stored.get(StoredObject.UPDATED_AT));
    }

    /** Returns the JSON text of the wire form. */
    public Buffer toJson(StoredObject object) {
        JsonWriter out = new JsonWriter();
        writeJson(object, out);
        return out.toBuffer();
    }

    /** Appends the JSON text of the wire form. */
    public void writeJson(StoredObject object, JsonWriter out) {
        BsonDocument stored = object.document();
        // Ids are ASCII without characters that JSON escapes.
        out.raw(ID).ascii(object.ref().id()).raw(VERSION).number(object.version());
        out.raw(ACL).value(stored.get(StoredObject.ACL, BsonNull.VALUE));
        out.raw(CREATED_AT).dateTime(object.createdAt());
        out.raw(UPDATED_AT).dateTime(object.updatedAt());
        for (RenderedField field : shape(object.ref()).fields) {
            out.raw(field.member).value(encoder.encode(field.type, stored.get(field.name)));
        }
        out.raw('}');
    }

    /**
     * Returns the entity tag of the JSON text. Another state of the object, or another text of the
     * same state, has another tag.
     */
    public String etag(StoredObject object) {
        return ObjectETagCodec.encode(object, shape(object.ref()).fingerprint);
    }

    private Shape shape(ObjectRef ref) {
        Shape shape = shapes.get(ref.bucket());
        return shape == null ? Shape.of(schema, schema.get(ref.bucket())) : shape;
    }

    private void requireKnown(ClassSchema type, String name) {
        if (schema.field(type, name).isEmpty()) {
            throw ValueDecoder.unknownField(type, name);
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** The rendering of objects of one class. */
    private record Shape(List<RenderedField> fields, String fingerprint) {

        static Shape of(Schema schema, ClassSchema type) {
            return new Shape(
                    schema.fields(type).stream().map(RenderedField::new).toList(), ShapeFingerprint.of(schema, type));
        }
    }

    /** A field with the part of the JSON text that introduces it. */
    private static final class RenderedField {

        private final String name;
        private final FieldType type;
        private final byte[] member;

        private RenderedField(FieldSchema field) {
            name = field.name();
            type = field.type();
            member = new JsonWriter().raw(',').string(name).raw(':').toBuffer().getBytes();
        }
    }
}
