package io.orestes.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orestes.model.ApiException;
import io.orestes.store.UpdateFunction;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Generated updates against an oracle: plain Java values that are changed in place, one operation
 * after the other, by code that has nothing in common with the product's. Numbers are unlimited
 * there; a result that no field can hold is refused.
 */
final class UpdatePropertyTest {

    private static final int OBJECTS = 200;
    private static final int UPDATES = 60;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void apply_generatedUpdates_doWhatTheOracleDoes(long seed) {
        Generator generator = new Generator(new Random(seed));
        for (int object = 0; object < OBJECTS; object++) {
            Oracle oracle = new Oracle();
            BsonDocument stored = UpdateFixture.stored("{}");
            for (int step = 0; step < UPDATES; step++) {
                BsonDocument request = generator.update();
                UpdateFunction updateFunction = UpdateFixture.update(request);
                if (oracle.accepts(request)) {
                    stored = updateFunction.apply(stored, UpdateFixture.AT);
                } else {
                    BsonDocument before = stored;
                    assertThat(catchThrowableOfType(
                                    ApiException.class, () -> updateFunction.apply(before, UpdateFixture.AT)))
                            .as("%s on %s", request, stored)
                            .isNotNull();
                }
                assertThat(stored)
                        .as("seed %s, after %s", seed, request)
                        .isEqualTo(UpdateFixture.stored(oracle.wire()));
            }
        }
    }

    /** Generates requests of one to four operations, each on a field that it applies to. */
    private record Generator(Random random) {

        private BsonDocument update() {
            BsonDocument updateFunction = new BsonDocument();
            for (int i = random.nextInt(4); i >= 0; i--) {
                add(updateFunction);
            }
            return updateFunction;
        }

        private void add(BsonDocument updateFunction) {
            switch (random.nextInt(12)) {
                case 0 ->
                    put(updateFunction, pick("$inc", "$dec", "$mul"), pick("integer", "address.visits"), integer());
                case 1 -> put(updateFunction, pick("$min", "$max"), pick("integer", "count"), integer());
                case 2 -> put(updateFunction, pick("$inc", "$dec", "$mul"), "double", new BsonDouble(small() / 4.0));
                case 3 -> put(updateFunction, pick("$and", "$or", "$xor"), pick("integer", "count"), integer());
                case 4 -> put(updateFunction, pick("$push", "$unshift"), "list", element());
                case 5 -> put(updateFunction, pick("$pop", "$shift"), "list", BsonNull.VALUE);
                case 6 -> put(updateFunction, "$replace", "list." + random.nextInt(6), element());
                case 7 -> put(updateFunction, "$add", "set", element());
                case 8 -> put(updateFunction, "$remove", pick("list", "set"), element());
                case 9 -> put(updateFunction, "$put", "map", new BsonDocument(key(), element()));
                case 10 -> put(updateFunction, "$remove", "map", new BsonString(key()));
                default ->
                    put(
                            updateFunction,
                            "$set",
                            pick("integer", "count", "address.visits"),
                            random.nextBoolean() ? BsonNull.VALUE : integer());
            }
        }

        private static void put(BsonDocument updateFunction, String operator, String path, BsonValue value) {
            updateFunction
                    .computeIfAbsent(operator, absent -> new BsonDocument())
                    .asDocument()
                    .put(path, value);
        }

        private String pick(String... choices) {
            return choices[random.nextInt(choices.length)];
        }

        private String key() {
            return pick("a", "b", "c");
        }

        private int small() {
            return random.nextInt(-4, 5);
        }

        private BsonValue integer() {
            return switch (random.nextInt(12)) {
                case 0 -> new BsonInt64(Long.MAX_VALUE);
                case 1 -> new BsonInt64(Long.MIN_VALUE);
                default -> new BsonInt64(small());
            };
        }

        private BsonValue element() {
            return random.nextInt(6) == 0 ? BsonNull.VALUE : new BsonInt64(small());
        }
    }

    /** An object that is evaluated by the text of the protocol. */
    private static final class Oracle {

        private Map<String, BigInteger> integers = new LinkedHashMap<>();
        private BigDecimal number = BigDecimal.ZERO;
        private boolean hasNumber;
        private List<BsonValue> list = new ArrayList<>();
        private boolean hasList;
        private List<BsonValue> set = new ArrayList<>();
        private boolean hasSet;
        private Map<String, BsonValue> map = new LinkedHashMap<>();
        private boolean hasMap;
        private boolean hasAddress;

        /** Changes the object, or returns false and leaves it unchanged. */
        private boolean accepts(BsonDocument updateFunction) {
            Oracle copy = copy();
            boolean fits = true;
            for (Map.Entry<String, BsonValue> operation : updateFunction.entrySet()) {
                for (Map.Entry<String, BsonValue> target :
                        operation.getValue().asDocument().entrySet()) {
                    copy.apply(operation.getKey(), target.getKey(), target.getValue());
                    fits = fits && copy.integers.values().stream().allMatch(value -> value.bitLength() <= 63);
                }
            }
            if (fits) {
                become(copy);
            }
            return fits;
        }

        private void apply(String operator, String path, BsonValue value) {
            hasAddress = hasAddress || path.startsWith("address");
            if (path.equals("double")) {
                decimal(operator, BigDecimal.valueOf(value.asDouble().getValue()));
            } else if (path.startsWith("list")) {
                list(operator, path, value);
            } else if (path.equals("set")) {
                set(operator, value);
            } else if (path.equals("map")) {
                map(operator, value);
            } else if (value.isNull()) {
                integers.remove(path);
            } else {
                integer(operator, path, BigInteger.valueOf(value.asInt64().getValue()));
            }
        }

        private void integer(String operator, String path, BigInteger operand) {
            BigInteger before = integers.getOrDefault(path, BigInteger.ZERO);
            boolean isUnset = !integers.containsKey(path);
            integers.put(
                    path,
                    switch (operator) {
                        case "$inc" -> before.add(operand);
                        case "$dec" -> before.subtract(operand);
                        case "$mul" -> before.multiply(operand);
                        case "$min" -> isUnset ? operand : before.min(operand);
                        case "$max" -> isUnset ? operand : before.max(operand);
                        case "$and" -> before.and(operand);
                        case "$or" -> before.or(operand);
                        case "$xor" -> before.xor(operand);
                        default -> operand;
                    });
        }

        private void decimal(String operator, BigDecimal operand) {
            hasNumber = true;
            BigDecimal exact =
                    switch (operator) {
                        case "$inc" -> number.add(operand);
                        case "$dec" -> number.subtract(operand);
                        default -> number.multiply(operand);
                    };
            number = new BigDecimal(exact.doubleValue());
        }

        private void list(String operator, String path, BsonValue value) {
            boolean exists = hasList;
            hasList = true;
            switch (operator) {
                case "$push" -> list.add(value);
                case "$unshift" -> list.add(0, value);
                case "$replace" -> replace(Integer.parseInt(path.substring(5)), value);
                default -> {
                    hasList = exists;
                    shorten(operator, value);
                }
            }
        }

        private void shorten(String operator, BsonValue value) {
            if (operator.equals("$remove")) {
                list.removeIf(value::equals);
            } else if (!list.isEmpty()) {
                list.remove(operator.equals("$pop") ? list.size() - 1 : 0);
            }
        }

        private void replace(int index, BsonValue value) {
            while (list.size() <= index) {
                list.add(BsonNull.VALUE);
            }
            list.set(index, value);
        }

        private void set(String operator, BsonValue value) {
            if (operator.equals("$remove")) {
                set.remove(value);
            } else if (!set.contains(value)) {
                set.add(value);
            }
            hasSet = hasSet || operator.equals("$add");
        }

        private void map(String operator, BsonValue value) {
            if (operator.equals("$remove")) {
                map.remove(value.asString().getValue());
                return;
            }
            hasMap = true;
            value.asDocument().forEach(map::put);
            map.values().removeIf(BsonValue::isNull);
        }

        /** Returns the whole object as a client would send it; unset fields are left out. */
        private BsonDocument wire() {
            BsonDocument wire = new BsonDocument();
            BsonDocument address = new BsonDocument();
            integers.forEach((path, value) -> {
                BsonDocument target = path.startsWith("address.") ? address : wire;
                target.put(path.replace("address.", ""), new BsonInt64(value.longValueExact()));
            });
            if (hasAddress) {
                wire.put("address", address);
            }
            if (hasNumber) {
                wire.put("double", new BsonDouble(number.doubleValue()));
            }
            if (hasList) {
                wire.put("list", new BsonArray(list));
            }
            if (hasSet) {
                wire.put("set", new BsonArray(set));
            }
            if (hasMap) {
                BsonDocument entries = new BsonDocument();
                entries.putAll(map);
                wire.put("map", entries);
            }
            return wire;
        }

        private Oracle copy() {
            Oracle copy = new Oracle();
            copy.become(this);
            return copy;
        }

        private void become(Oracle other) {
            integers = new LinkedHashMap<>(other.integers);
            number = other.number;
            hasNumber = other.hasNumber;
            list = new ArrayList<>(other.list);
            hasList = other.hasList;
            set = new ArrayList<>(other.set);
            hasSet = other.hasSet;
            map = new LinkedHashMap<>(other.map);
            hasMap = other.hasMap;
            hasAddress = other.hasAddress;
        }
    }
}
