package io.orestes.read.response;

import io.invalidb.aggregation.AggregateSpec;
import io.orestes.json.JsonWriter;
import io.orestes.model.StoredObject;
import io.orestes.schema.SchemaRegistry;
import io.orestes.schema.codec.AggregateRowCodec;
import io.orestes.schema.codec.ObjectCodec;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/** The renderer of objects, rows and values as JSON text under the current schema. */
public final class JsonRenderer {

    private final SchemaRegistry schemas;

    public JsonRenderer(SchemaRegistry schemas) {
        this.schemas = schemas;
    }

    /** Returns the current schema; objects may be rendered differently under another one. */
    public Object schema() {
        return schemas.codec();
    }

    /** Renders an object in its wire form (protocol §8.1). */
    public Buffer object(StoredObject object) {
        return schemas.codec().toJson(object);
    }

    /** Renders an object with its entity tag, both under one schema whatever changes meanwhile. */
    public RenderedBody tagged(StoredObject object) {
        ObjectCodec codec = schemas.codec();
        return new RenderedBody(codec.etag(object), codec.toJson(object));
    }

    /** Renders the metadata of an object without its fields. */
    public Buffer metadata(StoredObject object) {
        return json(schemas.codec().encodeMetadata(object));
    }

    /** Renders a list of objects. */
    public Buffer array(List<StoredObject> objects) {
        ObjectCodec codec = schemas.codec();
        JsonWriter array = new JsonWriter(Math.min(objects.size(), 64) * 1024 + 2).raw('[');
        for (int i = 0; i < objects.size(); i++) {
            codec.writeJson(objects.get(i), i == 0 ? array : array.raw(','));
        }
        return array.raw(']').toBuffer();
    }

    /** Renders the ids of the objects. */
    public Buffer ids(List<StoredObject> objects) {
        BsonArray array = new BsonArray(objects.size());
        objects.forEach(object -> array.add(new BsonString(object.ref().id())));
        return json(array);
    }

    /** Renders the rows of an aggregate over a class. */
    public Buffer rows(String bucket, AggregateSpec spec, List<BsonDocument> rows) {
        AggregateRowCodec codec = schemas.rows();
        BsonArray array = new BsonArray(rows.size());
        rows.forEach(row -> array.add(codec.encode(bucket, spec, row)));
        return json(array);
    }

    /** Renders one row of an aggregate. */
    public Buffer row(String bucket, AggregateSpec spec, BsonDocument row) {
        return json(schemas.rows().encode(bucket, spec, row));
    }

    /** Renders any value. */
    public Buffer json(BsonValue value) {
        return JsonWriter.write(value);
    }
}
