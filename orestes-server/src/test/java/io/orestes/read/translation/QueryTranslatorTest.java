package io.orestes.read.translation;

import static io.orestes.schema.TestSchemas.object;
import static io.orestes.schema.TestSchemas.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.schema.codec.ObjectCodec;
import io.orestes.schema.model.Schema;
import java.util.Collections;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueryTranslatorTest {

    private static final Schema SCHEMA = with(
            """
            [{'class': '/db/Slot', 'embedded': true,
              'fields': {'day': {'type': '/db/Date'}, 'at': {'type': '/db/Time'}}},
             {'class': '/db/Week', 'embedded': true, 'fields': {
                'best': {'type': '/db/Slot'}, 'more': {'type': '/db/collection.List[/db/Slot]'}}},
             {'class': '/db/Event', 'fields': {
                'start': {'type': '/db/DateTime'}, 'day': {'type': '/db/Date'}, 'at': {'type': '/db/Time'},
                'slot': {'type': '/db/Slot'}, 'slots': {'type': '/db/collection.List[/db/Slot]'},
                'days': {'type': '/db/collection.Set[/db/Date]'}, 'data': {'type': '/db/JsonObject'},
                'weeks': {'type': '/db/collection.List[/db/Week]'},
                'slotsByName': {'type': '/db/collection.Map[/db/String,/db/Slot]'},
                'place': {'type': '/db/GeoPoint'}, 'next': {'type': '/db/Event'},
                'byName': {'type': '/db/collection.Map[/db/String,/db/Date]'}}}]
            """);
    private static final QueryTranslator EVENTS = new QueryTranslator(SCHEMA, SCHEMA.get("Event"));
    private static final Schema WIDE_SCHEMA = with("[{'class': '/db/Part', 'embedded': true, 'fields': {"
            + IntStream.range(0, 20)
                    .mapToObj("'f%d': {'type': '/db/Integer'}"::formatted)
                    .collect(Collectors.joining(","))
            + "}}, {'class': '/db/Whole', 'fields': {"
            + "'part': {'type': '/db/Part'}, 'parts': {'type': '/db/collection.List[/db/Part]'}}}]");
    private static final QueryTranslator WIDE = new QueryTranslator(WIDE_SCHEMA, WIDE_SCHEMA.get("Whole"));
    private static final BsonDateTime INSTANT = new BsonDateTime(1614834367080L);
    private static final String DATE = "{'$date': '2021-03-04T05:06:07.080Z'}";

    @ParameterizedTest
    @CsvSource({
        "start, ''",
        "createdAt, ''",
        "data.x, ''",
        "nope, ''",
        "day, 2021-03-04",
        "at, 05:06:07.080Z",
        "slot.day, 2021-03-04",
        "slot.at, 05:06:07.080Z",
        "slots.day, 2021-03-04",
        "slots.0.at, 05:06:07.080Z",
        "days, 2021-03-04",
        "days.3, 2021-03-04",
        "byName.x, 2021-03-04"
    })
    void translate_date_takesTheStoredFormOfItsField(String path, String text) {
        BsonDocument translated = EVENTS.translate(object("{'" + path + "': {'$gt': " + DATE + "}}"));

        assertThat(translated.getDocument(path).get("$gt")).isEqualTo(text.isEmpty() ? INSTANT : new BsonString(text));
    }

    /** Dates in the form of objects, and in forms of queries written by hand. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "start     | 2021-03-04T05:06:07.080Z",
                "start     | 2021-03-04T06:06:07.080+01:00",
                "createdAt | 2021-03-04T05:06:07.080Z"
            })
    void translate_dateAsText_isTheInstant(String path, String text) {
        BsonDocument range = EVENTS.translate(object("{'" + path + "': {'$gt': '" + text + "'}}"));
        BsonDocument some = EVENTS.translate(object("{'" + path + "': {'$in': ['" + text + "', 'soon']}}"));

        assertThat(range.getDocument(path).get("$gt")).isEqualTo(INSTANT);
        assertThat(some.getDocument(path).getArray("$in")).containsExactly(INSTANT, new BsonString("soon"));
        assertThat(EVENTS.translate(object("{'" + path + "': '" + text + "'}")).get(path))
                .isEqualTo(INSTANT);
        BsonDocument pattern = object("{'" + path + "': {'$regex': '2021-03-04'}}");
        assertThat(EVENTS.translate(pattern)).isEqualTo(pattern);
    }

    @ParameterizedTest
    @ValueSource(strings = {"$in", "$nin", "$all"})
    void translate_regularExpressionAmongValues_isOne(String operator) {
        BsonDocument wire =
                object("{'data.x': {'" + operator + "': ['a', {'$regex': '^b', '$options': 'i'}, {'$regex': 'c'}]}}");

        BsonArray values = EVENTS.translate(wire).getDocument("data.x").getArray(operator);

        assertThat(values)
                .containsExactly(
                        new BsonString("a"), new BsonRegularExpression("^b", "i"), new BsonRegularExpression("c"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'$regex': 1}",
                "{'$regex': 'a', '$options': 1}",
                "{'$regex': 'a', '$gt': 'b'}",
                "{'$regex': 'a', '$options': 'i', 'x': 1}",
                "{'$regex': 'a', '$options': 'q'}"
            })
    void filter_malformedRegularExpressionAmongValues_isRefused(String written) {
        ApiException failure = catchThrowableOfType(
                ApiException.class, () -> EVENTS.filter(object("{'data.x': {'$in': [" + written + "]}}")));

        assertThat(failure.code()).isEqualTo(ErrorCode.SYNTAX_ERROR);
    }

    @Test
    void translate_placeInEitherOrder_takesTheStoredForm() {
        BsonDocument translated = EVENTS.translate(object("{'place': {'latitude': 48, 'longitude': 11.5}}"));

        assertThat(translated).isEqualTo(object("{'place': {'longitude': 11.5, 'latitude': 48.0}}"));
    }

    /** Compared as texts, since documents are equal in any order. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'slot': {'at': '05:06Z', 'day': '2021-03-04'}} "
                        + "| {'slot': {'day': '2021-03-04', 'at': '05:06:00.000Z'}}",
                "{'slot': {'$gt': {'day': '2021-03-04'}}}   | {'slot': {'$gt': {'day': '2021-03-04', 'at': null}}}",
                "{'byName': {'x': '2021-03-04T05:06:07Z'}}  | {'byName': {'x': '2021-03-04'}}",
                "{'next': {'id': '/db/Event/%61', 'at': 7}} | {'next': '/db/Event/a'}",
                "{'next': {'$in': [{'id': '/db/Event/a'}]}} | {'next': {'$in': ['/db/Event/a']}}"
            })
    void translate_literalOfAClass_takesTheStoredForm(String wire, String stored) {
        assertThat(EVENTS.translate(object(wire)).toJson())
                .isEqualTo(object(stored).toJson());
    }

    /** A field that is unset in a literal may be missing in objects stored before it existed. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'slot': {'day': '2021-03-04'}}            | {'slot': {'$in': [D]}}",
                "{'slot': {'$eq': {'day': '2021-03-04'}}}   | {'slot': {'$in': [D]}}",
                "{'slot': {'$ne': {'day': '2021-03-04'}}}   | {'slot': {'$nin': [D]}}",
                "{'slot': {'$in': [{'day': '2021-03-04'}, null]}} | {'slot': {'$in': [D, null]}}",
                "{'slot': {'$nin': [null, {'day': '2021-03-04'}]}} | {'slot': {'$nin': [null, D]}}",
                "{'slot': {'$not': {'$eq': {'day': '2021-03-04'}}}} | {'slot': {'$not': {'$in': [D]}}}",
                "{'slot': {'$all': [{'day': '2021-03-04'}]}} | {'slot': {'$in': [D]}}",
                "{'slot': {}} | {'slot': {'$in': [{'day': null, 'at': null}, {'at': null}, {'day': null}, {}]}}",
                "{'slots': {'day': '2021-03-04'}}           | {'slots': {'$in': [D]}}",
                "{'slots.0': {'day': '2021-03-04'}}         | {'slots.0': {'$in': [D]}}",
                "{'slots': [{'day': '2021-03-04'}]}         "
                        + "| {'slots': {'$in': [[{'day': '2021-03-04', 'at': null}], [{'day': '2021-03-04'}]]}}",
                "{'slots': {'$elemMatch': {'$eq': {'day': '2021-03-04'}}}} | {'slots': {'$elemMatch': {'$in': [D]}}}",
                "{'slots': {'$all': [{'day': '2021-03-04'}, null]}} "
                        + "| {'slots': {'$all': [{'$elemMatch': {'$in': [D]}}, {'$elemMatch': {'$in': [null]}}]}}",
                "{'weeks': {'$elemMatch': {'best': {'day': '2021-03-04'}}}} "
                        + "| {'weeks': {'$elemMatch': {'best': {'$in': [D]}}}}",
                "{'weeks': {'$elemMatch': {'$or': [{'best': {'day': '2021-03-04'}}]}}} "
                        + "| {'weeks': {'$elemMatch': {'$or': [{'best': {'$in': [D]}}]}}}",
                "{'weeks.best': {'day': '2021-03-04'}}      | {'weeks.best': {'$in': [D]}}",
                "{'$or': [{'slot': {'day': '2021-03-04'}}]} | {'$or': [{'slot': {'$in': [D]}}]}",
                "{'slotsByName': {'x': {'day': '2021-03-04'}}} "
                        + "| {'slotsByName':"
                        + " {'$in': [{'x': {'day': '2021-03-04', 'at': null}}, {'x': {'day': '2021-03-04'}}]}}",
                "{'slotsByName.x': {'day': '2021-03-04'}}   | {'slotsByName.x': {'$in': [D]}}"
            })
    void translate_literalWithUnsetFields_isComparedInAllForms(String wire, String stored) {
        String forms = "{'day': '2021-03-04', 'at': null}, {'day': '2021-03-04'}";

        assertThat(EVENTS.translate(object(wire)).toJson())
                .isEqualTo(object(stored.replace("D", forms)).toJson());
    }

    /** In another place they would have another meaning. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'slot': {'$eq': {'day': '2021-03-04'}, '$in': [null]}} | {'slot': {'$eq': D, '$in': [null]}}",
                "{'slot': {'$all': [{'day': '2021-03-04'}], '$in': [null]}} | {'slot': {'$all': [D], '$in': [null]}}",
                "{'slot': {'$eq': {'day': '2021-03-04'}, '$all': [{'day': '2021-03-04'}]}} "
                        + "| {'slot': {'$in': [D, {'day': '2021-03-04'}], '$all': [D]}}",
                "{'slot': {'$all': [{'day': '2021-03-04'}, null]}} | {'slot': {'$all': [D, null]}}",
                "{'slots': {'$all': [[{'day': '2021-03-04'}], null]}} | {'slots': {'$all': [[D], null]}}",
                "{'weeks.more': {'$all': [{'day': '2021-03-04'}, null]}} | {'weeks.more': {'$all': [D, null]}}",
                "{'slots': {'$elemMatch': {'$all': [{'day': '2021-03-04'}, null]}}} "
                        + "| {'slots': {'$elemMatch': {'$all': [D, null]}}}",
                "{'slot': {'$gte': {'day': '2021-03-04'}}} | {'slot': {'$gte': D}}"
            })
    void translate_literalWhereFormsHaveNoPlace_takesThatOfToday(String wire, String stored) {
        assertThat(EVENTS.translate(object(wire)).toJson())
                .isEqualTo(object(stored.replace("D", "{'day': '2021-03-04', 'at': null}"))
                        .toJson());
    }

    /** All forms of it would take many times the memory of the request. */
    @Test
    void translate_largeLiteralWithUnsetFields_takesTheFormOfToday() {
        BsonArray slots = new BsonArray(Collections.nCopies(30_000, BsonNull.VALUE));
        slots.add(new BsonDocument());

        BsonArray translated =
                EVENTS.translate(new BsonDocument("slots", slots)).getArray("slots");

        assertThat(translated).hasSize(30_001);
        assertThat(translated.get(30_000)).isEqualTo(object("{'day': null, 'at': null}"));
    }

    @Test
    void translate_literalWithManyUnsetFields_mayLackThoseAtTheEnd() {
        BsonArray forms = WIDE.translate(object("{'part': {'f1': 1, 'f4': 4}}"))
                .getDocument("part")
                .getArray("$in");

        assertThat(forms.stream().map(form -> form.asDocument().size()))
                .containsExactly(20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5);
        assertThat(forms.get(15).asDocument().keySet()).containsExactly("f0", "f1", "f2", "f3", "f4");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'parts': [{'f1': 1}, {'f2': 2}]}",
                "{'part': {'f1': 1}, 'parts': {'$in': [LITERALS]}}",
                "{'parts': {'$in': [LITERALS]}, 'part': {'f1': 1}}"
            })
    void translate_literalsOfTooManyForms_takeThatOfToday(String query) {
        String literals =
                IntStream.range(0, 60).mapToObj("{'f1': %d}"::formatted).collect(Collectors.joining(","));

        String translated =
                WIDE.translate(object(query.replace("LITERALS", literals))).toJson();

        assertThat(translated.split("\"f19\": null", -1)).hasSize(translated.split("\"f1\":", -1).length);
        assertThat(translated).doesNotContain("\"part\": {\"$in\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'slots': {'$elemMatch': {'day': '2021-03-04'}}}",
                "{'slots': {'$all': [{'$elemMatch': {'day': '2021-03-04'}}]}}",
                "{'slots': {'$elemMatch': {'$or': [{'day': '2021-03-04'}, {'at': null}]}}}",
                "{'slots': {'$not': {'$elemMatch': {'day': '2021-03-04'}}}}",
                "{'slot': {'day': 7}}",
                "{'slot': {'nope': 7}}",
                "{'next': {'id': '/db/Slot/a'}}",
                "{'data': {'id': '/db/Event/a'}}"
            })
    void translate_conditionOrLiteralOfAnotherClass_isLeftAlone(String query) {
        assertThat(EVENTS.translate(object(query)).toJson())
                .isEqualTo(object(query).toJson());
    }

    @Test
    void translate_geoOperator_isLeftAlone() {
        BsonDocument near = object("{'place': {'$nearSphere': {'$geometry':"
                + " {'type': 'Point', 'coordinates': [11.5, 48]}, '$maxDistance': 1000}}}");

        assertThat(EVENTS.translate(near)).isEqualTo(near);
    }

    @Test
    void translate_formula_namesStoredFields() {
        BsonDocument translated = EVENTS.translate(object("{'$expr': {'$or': [{'$eq': ['$id', '$$ROOT.data.x']},"
                + " {'$gt': ['$start', " + DATE + "]}, {'$eq': ['$data', {'$literal': '$id'}]}]}}"));

        assertThat(translated.toJson())
                .contains("[\"$_id\", \"$data.x\"]")
                .contains("[\"$start\", "
                        + new BsonDocument("x", INSTANT).toJson().substring(6).replaceFirst("}$", "]"))
                .contains("{\"$literal\": \"$id\"}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'$_readAllowed'",
                "{'$in': ['x', '$_readAllowed']}",
                "'$$ROOT'",
                "'$$CURRENT._readAllowed'",
                "['$$CURRENT']"
            })
    void filter_formulaThatNamesHiddenFields_isRefused(String formula) {
        ApiException refused =
                catchThrowableOfType(ApiException.class, () -> EVENTS.filter(object("{'$expr': " + formula + "}")));

        assertThat(refused.code()).isIn(ErrorCode.SYNTAX_ERROR, ErrorCode.QUERY_NOT_SUPPORTED);
    }

    @Test
    void translate_schema_namesStoredFields() {
        BsonDocument translated =
                EVENTS.translate(object("{'$jsonSchema': {'required': ['id'], 'anyOf': [{'properties':"
                        + " {'id': {'type': 'string'}, 'data': {'required': ['id']}}}],"
                        + " 'dependencies': {'id': ['id']}}}"));

        assertThat(translated)
                .isEqualTo(object("{'$jsonSchema': {'required': ['_id'], 'anyOf': [{'properties':"
                        + " {'_id': {'type': 'string'}, 'data': {'required': ['id']}}}],"
                        + " 'dependencies': {'_id': ['_id']}}}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'required': ['_readAllowed']}",
                "{'properties': {'_readAllowed': {}}}",
                "{'not': {'patternProperties': {'^_': {}}}}",
                "{'allOf': [{'additionalProperties': false}]}",
                "{'minProperties': 3}",
                "{'dependencies': {'_readAllowed': ['id']}}",
                "{'enum': [{}]}"
            })
    void filter_schemaThatSeesHiddenFields_isRefused(String schema) {
        ApiException refused = catchThrowableOfType(
                ApiException.class, () -> EVENTS.filter(object("{'$jsonSchema': " + schema + "}")));

        assertThat(refused.code()).isIn(ErrorCode.SYNTAX_ERROR, ErrorCode.QUERY_NOT_SUPPORTED);
    }

    @Test
    void translate_datesAnywhere_areFound() {
        BsonDocument translated = EVENTS.translate(object("{'$or': [{'day': " + DATE + "}, {'start': {'$not': {'$in': ["
                + DATE + ", null]}}}], 'slots': {'$elemMatch': {'day': " + DATE + "}}, 'data': {'a': [" + DATE
                + "]}}"));

        BsonDocument expected = object("{'$or': [{'day': '2021-03-04'}, {'start': {'$not': {'$in': [0, null]}}}],"
                + " 'slots': {'$elemMatch': {'day': '2021-03-04'}}, 'data': {'a': [0]}}");
        BsonArray in = expected.getArray("$or")
                .get(1)
                .asDocument()
                .getDocument("start")
                .getDocument("$not")
                .getArray("$in");
        in.set(0, INSTANT);
        expected.getDocument("data").getArray("a").set(0, INSTANT);
        assertThat(translated).isEqualTo(expected);
    }

    @Test
    void translate_timesSpelledOut_getAllDigits() {
        assertThat(EVENTS.translate(object("{'at': {'$in': ['05:06Z', 'noon', 7]}, 'slot.at': '05:06:07.5Z'}")))
                .isEqualTo(object("{'at': {'$in': ['05:06:00.000Z', 'noon', 7]}, 'slot.at': '05:06:07.500Z'}"));
    }

    @Test
    void translate_id_isTheStoredIdAtTheTopOnly() {
        assertThat(EVENTS.translate(object(
                        "{'id': {'$in': ['/db/Event/1']}, '$nor': [{'id': 'x'}], 'data': {'id': 1}, 'data.id': 2}")))
                .isEqualTo(object(
                        "{'_id': {'$in': ['/db/Event/1']}, '$nor': [{'_id': 'x'}], 'data': {'id': 1}, 'data.id': 2}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'_id': 'x'}",
                "{'_readAllowed': {'$exists': true}}",
                "{'_readAllowed.0': '/db/User/1'}",
                "{'$or': [{'$and': [{'_readDenied': 'x'}]}]}",
                "{'$or': {}}",
                "{'$and': [1]}",
                "{'start': {'$date': 'tomorrow'}}",
                "{'start': {'$gt': {'$date': true}}}",
                "{'start': {'$date': '2021-03-04', 'x': 1}}",
                "{'start': {'$nope': 1}, '$or': []}"
            })
    void filter_malformedOrHidden_isASyntaxError(String query) {
        ApiException refusal = catchThrowableOfType(ApiException.class, () -> EVENTS.filter(object(query)));

        assertThat(refusal.code()).isIn(ErrorCode.SYNTAX_ERROR, ErrorCode.QUERY_NOT_SUPPORTED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'_id': 'x'}",
                "{'_readAllowed': 'x'}",
                "{'$nor': [{'_version': 1}]}",
                "{'start': {'$date': 'x'}}"
            })
    void translate_hiddenPath_isASyntaxError(String query) {
        assertThat(catchThrowableOfType(ApiException.class, () -> EVENTS.translate(object(query)))
                        .code())
                .isEqualTo(ErrorCode.SYNTAX_ERROR);
    }

    @Test
    void filter_unsupportedOperator_isNotSupported() {
        assertThat(catchThrowableOfType(ApiException.class, () -> EVENTS.filter(object("{'$where': 'true'}")))
                        .code())
                .isEqualTo(ErrorCode.QUERY_NOT_SUPPORTED);
    }

    @Test
    void sort_id_isTheStoredId() {
        assertThat(EVENTS.translateSort(object("{'day': -1, 'id': 1}"))).isEqualTo(object("{'day': -1, '_id': 1}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'_readAllowed': 1}", "{'day': 2}", "{'day': 'up'}"})
    void sort_malformedOrHidden_isASyntaxError(String sort) {
        assertThat(catchThrowableOfType(ApiException.class, () -> EVENTS.sort(object(sort)))
                        .code())
                .isEqualTo(ErrorCode.SYNTAX_ERROR);
    }

    @Test
    void filter_storedObject_matchesByItsStoredForm() {
        BsonDocument stored = new ObjectCodec(SCHEMA)
                .decode(
                        SCHEMA.get("Event"),
                        object("{'day': '2021-03-04', 'at': '05:06:07Z', 'start': '2021-03-04T05:06:07Z'}"));

        assertThat(EVENTS.filter(object("{'day': {'$lte': " + DATE + "}, 'at': {'$lt': " + DATE + "}, 'start': {'$lt': "
                                + DATE + "}}"))
                        .matches(stored))
                .isTrue();
        assertThat(EVENTS.filter(object("{'at': {'$gt': '05:06:07Z'}}")).matches(stored))
                .isFalse();
    }
}
