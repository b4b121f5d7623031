package io.orestes.write;

import io.orestes.schema.codec.ObjectCodec;
import io.orestes.schema.model.ClassSchema;
import io.orestes.store.UpdateFunction;
import io.orestes.update.UpdateParser;
import java.util.List;
import org.bson.BsonDocument;

/**
 * The schema by which a write is authorized and validated.
 *
 * @param schemaEpoch schema epoch of the class, read before the schema: if the epoch changes in
 *     between, the store refuses the write
 * @param codec codec of the schema
 * @param type class of the object
 */
record WriteSchema(long schemaEpoch, ObjectCodec codec, ClassSchema type) {

    BsonDocument decode(BsonDocument body) {
        return codec.decode(type, body);
    }

    UpdateFunction parse(List<BsonDocument> updates) {
        return new ConstraintValidatingUpdate(codec, type, new UpdateParser(codec, type).parse(updates));
    }
}
