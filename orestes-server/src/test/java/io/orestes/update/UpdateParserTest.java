package io.orestes.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.schema.TestSchemas;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every operation of protocol §9 on every kind of path, and the refused ones. */
final class UpdateParserTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'string': 'a'}         | {'$set': {'string': 'b', 'flag': true}} | {'string': 'b', 'flag': true}",
                "{'string': 'a'}         | {'$set': {'string': null}}           | {}",
                "{}                      | {'$set': {'integer': 2.9}}           | {'integer': 2}",
                "{'list': [1]}           | {'$set': {'list': [3, 2, 3]}}        | {'list': [3, 2, 3]}",
                "{'set': [1]}            | {'$set': {'set': [3, 2, 3]}}         | {'set': [3, 2]}",
                "{'map': {'a': 1}}       | {'$set': {'map': {'b': 2, 'c': null}}} | {'map': {'b': 2}}",
                "{}                      | {'$set': {'geo': {'latitude': 1, 'longitude': 2}}} "
                        + "| {'geo': {'latitude': 1, 'longitude': 2}}",
                "{}                      | {'$set': {'friend': {'id': '/db/Thing/a'}}} | {'friend': '/db/Thing/a'}",
                "{'address': {'city': 'A', 'visits': 1}} | {'$set': {'address.city': 'B'}} "
                        + "| {'address': {'city': 'B', 'visits': 1}}",
                "{}                      | {'$set': {'address.city': 'B'}}      | {'address': {'city': 'B'}}",
                "{}                      | {'$inc': {'address.next.next.visits': 2}} "
                        + "| {'address': {'next': {'next': {'visits': 2}}}}",
                "{'object': {'a': {'b': 1}, 'c': 2}} | {'$set': {'object.a.b': [7], 'object.a.d': null}} "
                        + "| {'object': {'a': {'b': [7], 'd': null}, 'c': 2}}",
                "{}                      | {'$set': {'object.a.$b': 1}}         | {'object': {'a': {'$b': 1}}}",
                "{'object': {'n': 1}}    | {'$inc': {'object.n': 1, 'object.m': 0.5}} | {'object': {'n': 2, 'm': 0.5}}",
                "{'object': {'l': [1]}}  | {'$push': {'object.l': 'x'}}         | {'object': {'l': [1, 'x']}}",
                "{'object': {'l': [1, 2, 1]}} | {'$remove': {'object.l': 1}}    | {'object': {'l': [2]}}",
                "{'object': {'m': {'a': 1}}} | {'$put': {'object.m': {'b': null}}} "
                        + "| {'object': {'m': {'a': 1, 'b': null}}}",
                "{'integer': 5}          | {'$inc': {'integer': -7}}            | {'integer': -2}",
                "{'integer': 5}          | {'$dec': {'integer': 7}}             | {'integer': -2}",
                "{'integer': 9}          | {'$mul': {'integer': 0.3333333333333333}} | {'integer': 3}",
                "{'integer': -5}         | {'$mul': {'integer': 0.5}}           | {'integer': -2}",
                "{'integer': 9007199254740993} | {'$inc': {'integer': 2}}       | {'integer': 9007199254740995}",
                "{'double': 1.5}         | {'$inc': {'double': 1}, '$mul': {'other': 4}} | {'double': 2.5, 'other': 0}",
                "{'double': 1}           | {'$mul': {'double': 0.25}}           | {'double': 0.25}",
                "{}                      | {'$inc': {'integer': 3}, '$dec': {'double': 1}} "
                        + "| {'integer': 3, 'double': -1}",
                "{'integer': 5}          | {'$min': {'integer': 3, 'count': 4}} | {'integer': 3, 'count': 4}",
                "{'integer': 5}          | {'$min': {'integer': 8}}             | {'integer': 5}",
                "{'integer': 5}          | {'$max': {'integer': 8.7}}           | {'integer': 8}",
                "{'double': 5}           | {'$max': {'double': 3, 'other': -1}} | {'double': 5, 'other': -1}",
                "{'integer': 12}         | {'$and': {'integer': 10}}            | {'integer': 8}",
                "{'integer': 12}         | {'$or': {'integer': 3, 'count': 1}}  | {'integer': 15, 'count': 1}",
                "{'integer': 12}         | {'$xor': {'integer': -1}}            | {'integer': -13}",
                "{'list': [1]}           | {'$push': {'list': 2}}               | {'list': [1, 2]}",
                "{'list': [1]}           | {'$unshift': {'list': null}}         | {'list': [null, 1]}",
                "{}                      | {'$push': {'list': 2, 'times': '05:06'}} "
                        + "| {'list': [2], 'times': ['05:06:00Z']}",
                "{'list': [1, 2, 3]}     | {'$pop': {'list': null}}             | {'list': [1, 2]}",
                "{'list': [1, 2, 3]}     | {'$shift': {'list': null}}           | {'list': [2, 3]}",
                "{'list': []}            | {'$shift': {'list': null, 'times': null}} | {'list': []}",
                "{'list': [1, 2]}        | {'$replace': {'list.1': 9, 'list.4': 7}} | {'list': [1, 9, null, null, 7]}",
                "{}                      | {'$replace': {'address.lines.0': 'x'}} | {'address': {'lines': ['x']}}",
                "{'set': [1]}            | {'$add': {'set': 2}}                 | {'set': [1, 2]}",
                "{'set': [1]}            | {'$add': {'set': 1.5}}               | {'set': [1]}",
                "{'friends': ['/db/Thing/a']} | {'$add': {'friends': '/db/Thing/%61'}} | {'friends': ['/db/Thing/a']}",
                "{'list': [1, 2, 1]}     | {'$remove': {'list': 1}}             | {'list': [2]}",
                "{'set': [1, 2]}         | {'$remove': {'set': 2}}              | {'set': [1]}",
                "{'times': ['05:06:07Z', '01:00:00Z']} | {'$remove': {'times': '05:06:07.000'}} "
                        + "| {'times': ['01:00:00Z']}",
                "{'addresses': [{'city': 'A'}, {'city': 'B'}]} | {'$remove': {'addresses': {'city': 'A'}}} "
                        + "| {'addresses': [{'city': 'B'}]}",
                "{'map': {'a': 1, 'b': 2}} | {'$remove': {'map': 'a'}}          | {'map': {'b': 2}}",
                "{'byDate': {'2026-01-02': 1}} | {'$remove': {'byDate': '2026-01-02T03:04:05Z'}} | {'byDate': {}}",
                "{'byFriend': {'/db/Thing/a': 1}} | {'$remove': {'byFriend': {'id': '/db/Thing/%61', 'version': 3}}} "
                        + "| {'byFriend': {}}",
                "{'map': {'a': 1}}       | {'$put': {'map': {'a': 3, 'b': 4}}}  | {'map': {'a': 3, 'b': 4}}",
                "{'map': {'a': 1, 'b': 2}} | {'$put': {'map': {'a': null}}}     | {'map': {'b': 2}}",
                "{}                      | {'$put': {'byFriend': {'/db/Thing/%61': 1}}} "
                        + "| {'byFriend': {'/db/Thing/a': 1}}",
                "{}                      | {'$currentDate': {'dateTime': null, 'date': null, 'time': null}} "
                        + "| {'dateTime': '2026-03-04T05:06:07.08Z', 'date': '2026-03-04', 'time': '05:06:07.08Z'}",
                "{'double': 2}           | {'$rename': {'double': 'other'}}     | {'other': 2}",
                "{'integer': 2}          | {'$rename': {'integer': 'address.visits'}} | {'address': {'visits': 2}}",
                "{'integer': 1}          | {'$inc': {'integer': 2}, '$mul': {'integer': 5}} | {'integer': 15}",
                "{'integer': 1}          | {'$mul': {'integer': 5}, '$inc': {'integer': 2}} | {'integer': 7}",
                "{'integer': 1}          | {}                                   | {'integer': 1}"
            })
    void apply_operation_makesTheNextState(String before, String update, String after) {
        BsonDocument stored = UpdateFixture.stored(before);
        BsonDocument untouched = stored.clone();

        assertThat(UpdateFixture.update(update).apply(stored, UpdateFixture.AT)).isEqualTo(UpdateFixture.stored(after));
        assertThat(stored).isEqualTo(untouched);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "$foo | string",
                "$inc | string",
                "$mul | list",
                "$push | set",
                "$push | string",
                "$pop | map",
                "$add | list",
                "$put | set",
                "$put | object",
                "$push | array",
                "$remove | integer",
                "$and | double",
                "$currentDate | string",
                "$replace | list",
                "$replace | list.x",
                "$replace | list.01",
                "$replace | set.0",
                "$set | version",
                "$inc | version",
                "$set | id",
                "$set | createdAt",
                "$currentDate | updatedAt",
                "$set | locked",
                "$inc | kept",
                "$inc | acl",
                "$push | acl.read",
                "$set | acl.other",
                "$rename | acl",
                "$set | list.0",
                "$set | map.a",
                "$set | string.length",
                "$rename | integer"
            })
    void parse_operatorThatIsNotForThePath_isUnsupported(String operator, String path) {
        BsonDocument value = new BsonDocument(path, new BsonString("double"));

        ApiException failure = refusal(new BsonDocument(operator, value));

        assertThat(failure.code()).isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(failure.message()).isEqualTo("Unsupported update operation " + operator + " on " + path);
    }

    @Test
    void parse_unknownOperatorOfNothing_isUnsupported() {
        ApiException failure = refusal(new BsonDocument("$where", new BsonDocument()));

        assertThat(failure.code()).isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(failure.message()).isEqualTo("Unsupported update operation $where");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'$set': {'address': {'city': 'A'}}}",
                "{'$set': {'address': null}}",
                "{'$set': 7}",
                "{'$set': null}",
                "{'string': 'x'}",
                "{'$inc': {'integer': null}}",
                "{'$pop': {'list': 1}}",
                "{'$shift': {'list': 1}}",
                "{'$currentDate': {'date': true}}",
                "{'$put': {'map': 7}}",
                "{'$rename': {'double': 7}}",
                "{'$set': {'object.': 1}}",
                "{'$remove': {'map': null}}",
                "{'$set': {'object.a..b': 1}}"
            })
    void parse_updateOfNoKnownForm_cannotBeProcessed(String update) {
        ApiException failure = refusal(TestSchemas.object(update));

        assertThat(failure.code()).isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(failure.message()).isEqualTo("The body can't be processed");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'$set': {'string': 7}}            | string",
                "{'$set': {'nothing': 7}}           | nothing",
                "{'$set': {'address.zip': 7}}       | address.zip",
                "{'$set': {'address.visits': 'x'}}  | address.visits",
                "{'$inc': {'integer': 'x'}}         | integer",
                "{'$push': {'list': 'x'}}           | list",
                "{'$add': {'friends': '/db/User/1'}} | friends",
                "{'$put': {'map': {'a': 'x'}}}      | map.a",
                "{'$put': {'byDate': {'x': 1}}}     | byDate.x",
                "{'$or': {'integer': 'x'}}          | integer",
                "{'$set': {'_id': 'x'}}             | _id"
            })
    void parse_valueOfAnotherType_namesTheField(String update, String field) {
        ApiException failure = refusal(TestSchemas.object(update));

        assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_TYPE_VALUE);
        assertThat(failure.message()).contains(field);
        assertThat(failure.data()).contains(new BsonDocument("path", new BsonString(field)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'integer': 9223372036854775807} | {'$inc': {'integer': 1}}",
                "{'integer': -9223372036854775808} | {'$dec': {'integer': 1}}",
                "{'integer': 4611686018427387904} | {'$mul': {'integer': 2}}",
                "{'integer': 1}                   | {'$mul': {'integer': 1e30}}",
                "{'double': 1e300}                | {'$mul': {'double': 1e300}}",
                "{'object': {'n': 9223372036854775807}} | {'$inc': {'object.n': 1}}"
            })
    void apply_resultBeyond64Bit_isNoValueOfTheField(String before, String update) {
        ApiException failure = refusal(before, update);

        assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_TYPE_VALUE);
        assertThat(failure.data()).isPresent();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'object': {'a': 'x'}}   | {'$inc': {'object.a': 1}}   "
                        + "| Unsupported update operation $inc on object.a",
                "{'object': {'a': {}}}    | {'$push': {'object.a': 1}}  "
                        + "| Unsupported update operation $push on object.a",
                "{'object': {'a': 1.5}}   | {'$or': {'object.a': 1}}    | Unsupported update operation $or on object.a",
                "{'object': {'a': [1]}}   | {'$set': {'object.a.b': 1}} | The body can't be processed",
                "{'list': [1]}            | {'$replace': {'list.10002': 1}} | The body can't be processed"
            })
    void apply_toAValueItIsNotFor_isRefused(String before, String update, String message) {
        ApiException failure = refusal(before, update);

        assertThat(failure.code()).isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(failure.message()).isEqualTo(message);
    }

    @Test
    void parse_moreOperationsThanAllowed_isRefused() {
        assertThat(UpdateFixture.update(increments(1_000)).apply(UpdateFixture.stored("{}"), 0))
                .isNotNull();
        assertThat(refusal(TestSchemas.object(increments(1_001))).message()).isEqualTo("The body can't be processed");
    }

    /** All other writers would wait for as long. */
    @Test
    void apply_manyOperationsOnALargeValue_isRefused() {
        String large = IntStream.range(0, 100_000).mapToObj(Integer::toString).collect(Collectors.joining(","));
        BsonDocument set = UpdateFixture.stored("{'set': [" + large + "]}");
        BsonDocument object = UpdateFixture.stored("{'object': {"
                + IntStream.range(0, 100_000).mapToObj(i -> "'k" + i + "': 1").collect(Collectors.joining(",")) + "}}");

        assertThat(refusal(adding(100), set).code()).isEqualTo(ErrorCode.PAYLOAD_TOO_LARGE);
        assertThat(refusal(setting(100), object).code()).isEqualTo(ErrorCode.PAYLOAD_TOO_LARGE);
        assertThat(adding(10).apply(set, 0).getArray("set")).hasSize(100_010);
        assertThat(setting(10).apply(object, 0).getDocument("object")).hasSize(100_010);
        assertThat(adding(100).apply(UpdateFixture.stored("{}"), 0).getArray("set"))
                .hasSize(100);
    }

    private static PartialUpdate adding(int times) {
        return UpdateFixture.inOrder(IntStream.range(0, times)
                .mapToObj(i -> "{'$add': {'set': -%d}}".formatted(i + 1))
                .toList());
    }

    private static PartialUpdate setting(int times) {
        return UpdateFixture.inOrder(IntStream.range(0, times)
                .mapToObj(i -> "{'$set': {'object.n%d': 1}}".formatted(i))
                .toList());
    }

    @Test
    void parse_pathDeeperThanAllowed_isRefused() {
        String deepest = "object" + ".a".repeat(31);

        assertThat(UpdateFixture.update("{'$set': {'" + deepest + "': 1}}").apply(UpdateFixture.stored("{}"), 0))
                .isNotNull();
        assertThat(refusal(TestSchemas.object("{'$set': {'" + deepest + ".a': 1}}"))
                        .code())
                .isEqualTo(ErrorCode.BAD_REQUEST);
    }

    /** A field had another type once, and an embedded object fewer fields. */
    @Test
    void apply_storedValueOfAFormerType_countsAsUnset() {
        BsonDocument stored = new BsonDocument("integer", new BsonString("x"))
                .append("address", new BsonString("x"))
                .append("addresses", TestSchemas.json("[{'city': 'A'}]"));

        BsonDocument after = UpdateFixture.update(
                        "{'$inc': {'integer': 2, 'address.visits': 1}, '$remove': {'addresses': {'city': 'A'}}}")
                .apply(stored, UpdateFixture.AT);

        assertThat(after.get("integer")).isEqualTo(new BsonInt64(2));
        assertThat(after.getDocument("address").get("visits")).isEqualTo(new BsonInt64(1));
        assertThat(after.getDocument("address").get("city")).isEqualTo(BsonNull.VALUE);
        assertThat(after.getArray("addresses")).isEmpty();
    }

    @Test
    void apply_permissions_areSetAsAWholeOrByUser() {
        String acl = "{'read': {'/db/User/1': 'allow'}, 'write': {}}";

        assertThat(acl("{}", "{'$set': {'acl': " + acl + "}}")).isEqualTo(TestSchemas.object(acl));
        assertThat(acl("{}", "{'$put': {'acl.read': {'/db/User/1': 'allow'}}}"))
                .isEqualTo(TestSchemas.object("{'read': {'/db/User/1': 'allow'}}"));
        assertThat(acl("{'acl': " + acl + "}", "{'$remove': {'acl.read': '/db/User/1'}}"))
                .isEqualTo(TestSchemas.object("{'read': {}, 'write': {}}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'$set': {'acl': {'read': {'/db/Role/': 'allow'}}}}",
                "{'$put': {'acl.write': {'/db/User/a b': 'deny'}}}",
                "{'$set': {'acl.read': {'/db/User/%31': 'allow'}}}"
            })
    void apply_permissionsWithAMeaninglessId_areRefused(String update) {
        assertThat(catchThrowableOfType(ApiException.class, () -> acl("{}", update))
                        .code())
                .isEqualTo(ErrorCode.INVALID_PERMISSION_MODIFICATION);
    }

    @Test
    void touchesAcl_onlyIfAnOperationReachesIt() {
        assertThat(UpdateFixture.update("{'$set': {'acl': null}}").touchesAcl()).isTrue();
        assertThat(UpdateFixture.update("{'$put': {'acl.write': {}}}").touchesAcl())
                .isTrue();
        assertThat(UpdateFixture.update("{'$set': {'string': 'acl'}, '$rename': {'double': 'other'}}")
                        .touchesAcl())
                .isFalse();
    }

    private static BsonDocument acl(String before, String update) {
        return UpdateFixture.update(update)
                .apply(UpdateFixture.stored(before), UpdateFixture.AT)
                .getDocument("acl");
    }

    private static String increments(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "'object.k" + i + "': 1")
                .collect(Collectors.joining(",", "{'$inc': {", "}}"));
    }

    private static ApiException refusal(BsonDocument update) {
        return catchThrowableOfType(ApiException.class, () -> UpdateFixture.update(update));
    }

    private static ApiException refusal(String before, String update) {
        PartialUpdate parsed = UpdateFixture.update(update);
        return refusal(parsed, UpdateFixture.stored(before));
    }

    private static ApiException refusal(PartialUpdate update, BsonDocument stored) {
        return catchThrowableOfType(ApiException.class, () -> update.apply(stored, UpdateFixture.AT));
    }
}
