package io.orestes.schema.codec;

import static io.orestes.schema.TestSchemas.json;
import static io.orestes.schema.TestSchemas.object;
import static io.orestes.schema.TestSchemas.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orestes.json.JsonReader;
import io.orestes.json.JsonWriter;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.Schema;
import java.util.List;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectCodecTest {

    private static final Schema SCHEMA = with(
            """
            [{'class': '/db/Address', 'embedded': true, 'fields': {
                'zip': {'type': '/db/Integer'}, 'since': {'type': '/db/Time'}, 'next': {'type': '/db/Address'}}},
             {'class': '/db/Base', 'fields': {'inherited': {'type': '/db/String'}}},
             {'class': '/db/Thing', 'superClass': '/db/Base', 'fields': {
                'boolean': {'type': '/db/Boolean'}, 'double': {'type': '/db/Double'},
                'integer': {'type': '/db/Integer'},
                'string': {'type': '/db/String'}, 'dateTime': {'type': '/db/DateTime'}, 'date': {'type': '/db/Date'},
                'time': {'type': '/db/Time'}, 'file': {'type': '/db/File'}, 'geo': {'type': '/db/GeoPoint'},
                'array': {'type': '/db/JsonArray'}, 'object': {'type': '/db/JsonObject'},
                'base': {'type': '/db/Base'}, 'any': {'type': '/db/Object'}, 'address': {'type': '/db/Address'},
                'list': {'type': '/db/collection.List[/db/Integer]'},
                'set': {'type': '/db/collection.Set[/db/Integer]'},
                'refs': {'type': '/db/collection.Set[/db/Base]'}, 'times': {'type': '/db/collection.List[/db/Time]'},
                'addresses': {'type': '/db/collection.Map[/db/String,/db/Address]'},
                'byString': {'type': '/db/collection.Map[/db/String,/db/Integer]'},
                'byBoolean': {'type': '/db/collection.Map[/db/Boolean,/db/Integer]'},
                'byInteger': {'type': '/db/collection.Map[/db/Integer,/db/Integer]'},
                'byDouble': {'type': '/db/collection.Map[/db/Double,/db/Integer]'},
                'byDateTime': {'type': '/db/collection.Map[/db/DateTime,/db/Integer]'},
                'byDate': {'type': '/db/collection.Map[/db/Date,/db/Integer]'},
                'byTime': {'type': '/db/collection.Map[/db/Time,/db/Integer]'},
                'byBase': {'type': '/db/collection.Map[/db/Base,/db/Integer]'}}}]
            """);
    private static final ObjectCodec CODEC = new ObjectCodec(SCHEMA);
    private static final ClassSchema THING = SCHEMA.get("Thing");

    /** A value that a client sends for a field, and the value that it receives. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "boolean|true|true",
                "double|1|1",
                "double|1.5|1.5",
                "double|-1e300|-1E300",
                "integer|9223372036854775807|9223372036854775807",
                "integer|2.9|2",
                "integer|-2.9|-2",
                "integer|1e18|1000000000000000000",
                "integer|-9223372036854775808.0|-9223372036854775808",
                "string|''|''",
                "string|'ü\\u0000'|'ü\\u0000'",
                "dateTime|'2021-03-04T05:06:07.080Z'|'2021-03-04T05:06:07.08Z'",
                "dateTime|'2021-03-04T06:06:07+01:00'|'2021-03-04T05:06:07Z'",
                "date|'2021-03-04'|'2021-03-04'",
                "date|'2021-03-04T23:59:59Z'|'2021-03-04'",
                "time|'05:06:07Z'|'05:06:07Z'",
                "time|'05:06:07.500Z'|'05:06:07.5Z'",
                "file|'/file/www/a b.png'|'/file/www/a b.png'",
                "file|'/file/www/ä/'|'/file/www/ä/'",
                "geo|{'longitude': 180, 'latitude': -90}|{'longitude':180,'latitude':-90}",
                "geo|{'latitude': 48.1, 'longitude': 11.6}|{'longitude':11.6,'latitude':48.1}",
                "array|[1,'a',{'$x.y':null}]|[1,'a',{'$x.y':null}]",
                "object|{'':{'$date':'x'},'a.b':[],'_id':1}|{'':{'$date':'x'},'a.b':[],'_id':1}",
                "base|'/db/Base/1'|'/db/Base/1'",
                "base|'/db/Thing/a%20b%2Fc'|'/db/Thing/a%20b%2Fc'",
                "base|'/db/Thing/ü b'|'/db/Thing/%C3%BC%20b'",
                "base|{'id':'/db/Thing/1','name':'x'}|'/db/Thing/1'",
                "any|'/db/User/1'|'/db/User/1'",
                "address|{'zip':1.5}|{'zip':1,'since':null,'next':null}",
                "address|{'since':'01:02Z','next':{'zip':2}}|{'zip':null,'since':'01:02:00Z',"
                        + "'next':{'zip':2,'since':null,'next':null}}",
                "list|[1,null,1.5,1]|[1,null,1,1]",
                "list|[]|[]",
                "set|[2,1,2.5,null,null,1]|[2,1,null]",
                "refs|['/db/Base/a b','/db/Base/a%20b',{'id':'/db/Thing/1'}]|['/db/Base/a%20b','/db/Thing/1']",
                "times|['01:02:03.5Z',null]|['01:02:03.5Z',null]",
                "addresses|{'home':{'since':'01:02:03Z'},'x':null}"
                        + "|{'home':{'zip':null,'since':'01:02:03Z','next':null}}",
                "byString|{'':1,'a.b$':2,'gone':null}|{'':1,'a.b$':2}",
                "byBoolean|{'true':1,'false':2}|{'true':1,'false':2}",
                "byInteger|{'4':1,'-9223372036854775808':2}|{'4':1,'-9223372036854775808':2}",
                "byDouble|{'4.5':1,'1e+21':2}|{'4.5':1,'1e+21':2}",
                "byDateTime|{'2013-11-22T01:02:03.450Z':1}|{'2013-11-22T01:02:03.45Z':1}",
                "byDate|{'2013-11-22':1}|{'2013-11-22':1}",
                "byTime|{'01:02:03.5Z':1}|{'01:02:03.5Z':1}",
                "byBase|{'/db/Thing/a b':1}|{'/db/Thing/a%20b':1}"
            })
    void decodeThenEncode_validValue_isItsCanonicalForm(String field, String sent, String received) {
        StoredObject stored = store(new BsonDocument(field, json(sent)));

        assertThat(JsonWriter.print(CODEC.encode(stored).get(field, BsonNull.VALUE)))
                .isEqualTo(received.replace('\'', '"'));
        assertThat(CODEC.decode(THING, JsonReader.readObject(CODEC.toJson(stored))))
                .isEqualTo(CODEC.decode(THING, new BsonDocument(field, json(sent))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "boolean|1",
                "boolean|'true'",
                "double|'1'",
                "double|true",
                "integer|'1'",
                "integer|9223372036854775808.0",
                "integer|1e19",
                "integer|-9.3e18",
                "string|1",
                "string|{}",
                "dateTime|1614834367080",
                "dateTime|'tomorrow'",
                "dateTime|{'$date':'2021-03-04'}",
                "date|'2021-02-30'",
                "time|'25:00Z'",
                "time|'2021-03-04'",
                "file|'www/a.png'",
                "file|'/file/'",
                "file|'/file/www/'",
                "file|'/db/www/a'",
                "geo|[1,2]",
                "geo|{'latitude':1}",
                "geo|{'latitude':90.1,'longitude':0}",
                "geo|{'latitude':0,'longitude':-180.1}",
                "geo|{'latitude':0,'longitude':0,'altitude':0}",
                "geo|{'latitude':'0','longitude':0}",
                "array|{}",
                "object|[]",
                "base|'/db/Role/1'",
                "base|'/db/Nope/1'",
                "base|'/db/Base/'",
                "base|'/db/Base'",
                "base|'1'",
                "base|{'id':1}",
                "base|{}",
                "any|'/db/Address/1'",
                "address|'x'",
                "address|[]",
                "address|{'zip':'x'}",
                "address|{'nope':1}",
                "address|{'id':'/db/Address/1'}",
                "address|{'next':{'next':{'zip':true}}}",
                "list|{}",
                "list|['1']",
                "list|[[1]]",
                "set|[1,'1']",
                "byString|[]",
                "byString|{'a':'1'}",
                "byBoolean|{'yes':1}",
                "byInteger|{'1.5':1}",
                "byInteger|{'9223372036854775808':1}",
                "byDouble|{'x':1}",
                "byDouble|{'1e999':1}",
                "byDate|{'x':1}",
                "byBase|{'/db/Role/1':1}"
            })
    void decode_valueOfAnotherType_isInvalidAndNamesTheField(String field, String sent) {
        ApiException refusal = refusal(new BsonDocument(field, json(sent)));

        assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_TYPE_VALUE);
        assertThat(refusal.message()).contains(field);
    }

    @Test
    void decode_misfit_namesPathTypeAndValue() {
        assertThat(refusal(object("{'address': {'next': {'zip': 'x'}}}")).message())
                .isEqualTo("The value of address.next.zip is not of type /db/Integer: \"x\"");
        assertThat(refusal(object("{'list': [1, 'x']}")).message())
                .isEqualTo("The value of list.1 is not of type /db/Integer: \"x\"");
        assertThat(refusal(object("{'string': ['" + "x".repeat(100_000) + "']}"))
                        .message())
                .hasSizeLessThan(300);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nope", "_id", "_readAllowed", "ID", "$set", "string.x", ""})
    void decode_unknownField_isInvalidAndNamesIt(String name) {
        ApiException refusal = refusal(new BsonDocument(name, BsonNull.VALUE));

        assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_TYPE_VALUE);
        assertThat(refusal.message()).isEqualTo("/db/Thing has no field " + name);
    }

    @Test
    void decode_metadata_isIgnoredButForTheAcl() {
        BsonDocument stored = CODEC.decode(
                THING,
                object("{'id': '/db/Thing/x', 'version': 'seven', 'createdAt': 1, 'updatedAt': [],"
                        + " 'acl': {'read': {'/db/User/1': 'allow'}}}"));

        assertThat(stored).doesNotContainKeys("id", "version", "createdAt", "updatedAt");
        assertThat(stored.get("acl")).isEqualTo(object("{'read': {'/db/User/1': 'allow'}, 'write': {}}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "{}", "{'read': {}, 'write': {}}", "{'read': null}"})
    void decode_publicAcl_isLeftOut(String acl) {
        assertThat(CODEC.decode(THING, new BsonDocument("acl", json(acl)))).doesNotContainKey("acl");
    }

    @Test
    void decode_badAcl_isInvalidPermission() {
        assertThat(refusal(object("{'acl': {'read': {'/db/Thing/1': 'allow'}}}"))
                        .code())
                .isEqualTo(ErrorCode.INVALID_PERMISSION_MODIFICATION);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/db/User/", "/db/Role/a b", "/db/User/%31", "/db/User/1/2", "/db/Role/..", "/db/User/%2f"})
    void decode_aclWithAMeaninglessId_isRefused(String id) {
        for (String member : List.of("read", "write")) {
            assertThat(refusal(object("{'acl': {'" + member + "': {'/db/User/2': 'allow', '" + id + "': 'deny'}}}"))
                            .code())
                    .isEqualTo(ErrorCode.INVALID_PERMISSION_MODIFICATION);
        }
    }

    @Test
    void decode_missingFields_areNull() {
        BsonDocument stored = CODEC.decode(THING, object("{'string': 'x'}"));

        assertThat(stored).hasSize(SCHEMA.fields(THING).size());
        assertThat(stored.get("inherited")).isEqualTo(BsonNull.VALUE);
    }

    @Test
    void decode_types_areStoredSoThatTheyCompare() {
        BsonDocument stored = CODEC.decode(
                THING,
                object("{'double': 1, 'integer': 1.9, 'dateTime': '1970-01-01', 'date': '1970-01-01',"
                        + " 'time': '01:02Z'}"));

        assertThat(stored)
                .containsEntry("double", new BsonDouble(1))
                .containsEntry("integer", new BsonInt64(1))
                .containsEntry("dateTime", new BsonDateTime(0))
                .containsEntry("date", new BsonString("1970-01-01"))
                .containsEntry("time", new BsonString("01:02:00.000Z"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a b/c", "?&=#", "ümlaut", "back\\slash", "quo\"te", "😀", "a%20b", "'", "."})
    void toJson_anyKey_isTheEncodedFormAsText(String key) {
        StoredObject object = new StoredObject(
                new ObjectRef("Thing", key.equals(".") ? "..." : key),
                stored(new BsonDocument("string", new BsonString(key))));

        BsonDocument wire = JsonReader.readObject(CODEC.toJson(object));

        assertThat(wire.getString("id").getValue()).isEqualTo(object.ref().id());
        assertThat(CODEC.toJson(object)).isEqualTo(JsonWriter.write(CODEC.encode(object)));
    }

    @Test
    void toJson_object_hasMetadataFirstAndEveryField() {
        Schema schema = with(
                "{'class': '/db/Message', 'fields': {'text': {'type': '/db/String'}, 'n': {'type': '/db/Integer'}}}");
        BsonDocument document = stored(new BsonDocument("text", new BsonString("Test")));

        String json = new ObjectCodec(schema)
                .toJson(new StoredObject(new ObjectRef("Message", "1"), document))
                .toString();

        assertThat(json)
                .isEqualTo("{\"id\":\"/db/Message/1\",\"version\":3,\"acl\":null,"
                        + "\"createdAt\":\"2021-03-04T05:06:07.081Z\","
                        + "\"updatedAt\":\"2021-03-04T05:06:08Z\",\"text\":\"Test\",\"n\":null}");
    }

    @Test
    void encode_acl_isWhatWasStored() {
        BsonDocument acl = object("{'read': {'/db/User/1': 'allow'}, 'write': {}}");

        BsonDocument wire = CODEC.encode(store(new BsonDocument("acl", acl)));

        assertThat(wire.get("acl")).isEqualTo(acl);
        assertThat(wire).doesNotContainKeys("_id", "_readAllowed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "boolean",
                "double",
                "integer",
                "string",
                "dateTime",
                "time",
                "geo",
                "array",
                "object",
                "address",
                "list",
                "addresses",
                "byString"
            })
    void encode_valueFromBeforeTheFieldHadItsType_isNull(String field) {
        BsonValue foreign =
                field.equals("integer") || field.equals("double") ? new BsonString("old") : new BsonInt64(7);
        BsonDocument document = stored(new BsonDocument());
        document.put(field, foreign);

        assertThat(CODEC.encode(new StoredObject(new ObjectRef("Thing", "1"), document))
                        .get(field))
                .isEqualTo(BsonNull.VALUE);
    }

    @Test
    void encode_embeddedObjectFromBeforeAFieldWasAdded_hasIt() {
        BsonDocument document = stored(new BsonDocument());
        document.put("address", object("{'zip': 5, 'dropped': true}"));

        BsonDocument wire = CODEC.encode(new StoredObject(new ObjectRef("Thing", "1"), document));

        assertThat(wire.get("address")).isEqualTo(object("{'zip': 5, 'since': null, 'next': null}"));
    }

    @Test
    void decodeField_oneField_isAsInTheWholeObject() {
        assertThat(CODEC.decodeField(THING, "integer", new BsonDouble(1.5))).isEqualTo(new BsonInt64(1));
        assertThat(catchThrowableOfType(ApiException.class, () -> CODEC.decodeField(THING, "nope", BsonNull.VALUE))
                        .code())
                .isEqualTo(ErrorCode.INVALID_TYPE_VALUE);
    }

    private static StoredObject store(BsonDocument body) {
        return new StoredObject(new ObjectRef("Thing", "1"), stored(CODEC.decode(THING, body)));
    }

    private static BsonDocument stored(BsonDocument fields) {
        BsonDocument document = new BsonDocument("_id", new BsonString("/db/Thing/1"))
                .append("version", new BsonInt64(3))
                .append("createdAt", new BsonDateTime(1614834367081L))
                .append("updatedAt", new BsonDateTime(1614834368000L));
        document.putAll(fields);
        return document;
    }

    private static ApiException refusal(BsonDocument body) {
        return catchThrowableOfType(ApiException.class, () -> CODEC.decode(THING, body));
    }
}
