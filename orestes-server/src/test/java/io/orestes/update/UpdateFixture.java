package io.orestes.update;

import io.orestes.schema.TestSchemas;
import io.orestes.schema.codec.ObjectCodec;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.Schema;
import java.util.List;
import org.bson.BsonDocument;

/** A class with a field of each kind, and updates of an object of it. */
final class UpdateFixture {

    /** 2026-03-04T05:06:07.080Z */
    static final long AT = 1_772_600_767_080L;

    private static final Schema SCHEMA = TestSchemas.with(
            """
            [{'class': '/db/Address', 'embedded': true, 'fields': {
                'city': {'type': '/db/String'}, 'visits': {'type': '/db/Integer'}, 'next': {'type': '/db/Address'},
                'lines': {'type': '/db/collection.List[/db/String]'}}},
             {'class': '/db/Thing', 'fields': {
                'flag': {'type': '/db/Boolean'}, 'double': {'type': '/db/Double'}, 'other': {'type': '/db/Double'},
                'integer': {'type': '/db/Integer'}, 'count': {'type': '/db/Integer'},
                'string': {'type': '/db/String'}, 'dateTime': {'type': '/db/DateTime'}, 'date': {'type': '/db/Date'},
                'time': {'type': '/db/Time'}, 'geo': {'type': '/db/GeoPoint'},
                'array': {'type': '/db/JsonArray'}, 'object': {'type': '/db/JsonObject'},
                'friend': {'type': '/db/Thing'}, 'address': {'type': '/db/Address'},
                'list': {'type': '/db/collection.List[/db/Integer]'},
                'set': {'type': '/db/collection.Set[/db/Integer]'},
                'friends': {'type': '/db/collection.Set[/db/Thing]'},
                'times': {'type': '/db/collection.List[/db/Time]'},
                'addresses': {'type': '/db/collection.List[/db/Address]'},
                'map': {'type': '/db/collection.Map[/db/String,/db/Integer]'},
                'byDate': {'type': '/db/collection.Map[/db/Date,/db/Integer]'},
                'byFriend': {'type': '/db/collection.Map[/db/Thing,/db/Integer]'},
                'locked': {'type': '/db/Integer', 'flags': ['READONLY']},
                'kept': {'type': '/db/Integer', 'flags': ['METADATA']}}}]
            """);
    private static final ObjectCodec CODEC = TestSchemas.codec(SCHEMA);
    private static final ClassSchema THING = SCHEMA.get("Thing");

    private UpdateFixture() {}

    static PartialUpdate update(BsonDocument update) {
        return new UpdateParser(CODEC, THING).parse(List.of(update));
    }

    /** Returns updates of one object in one commit. */
    static PartialUpdate inOrder(List<String> updates) {
        return new UpdateParser(CODEC, THING)
                .parse(updates.stream().map(TestSchemas::object).toList());
    }

    static PartialUpdate update(String update) {
        return update(TestSchemas.object(update));
    }

    /** Returns the stored form of fields in their wire form. */
    static BsonDocument stored(BsonDocument fields) {
        return CODEC.decode(THING, fields);
    }

    static BsonDocument stored(String fields) {
        return stored(TestSchemas.object(fields));
    }
}
