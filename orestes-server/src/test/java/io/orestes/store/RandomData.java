package io.orestes.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonSymbol;
import org.bson.BsonTimestamp;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;

/**
 * Generator of documents, filters, sort orders and indexes that often match, and of edge cases;
 * deterministic for a seed.
 */
final class RandomData {

    private static final String LONG_TEXT = "long".repeat(80);

    private static final List<BsonValue> SCALARS = List.of(
            new BsonInt32(0),
            new BsonInt32(1),
            new BsonInt32(-7),
            new BsonInt64(1),
            new BsonInt64((1L << 53) + 1),
            new BsonInt64(1L << 53),
            new BsonDouble(-0.0),
            new BsonDouble(0.5),
            new BsonDouble(Double.NaN),
            new BsonDouble(Double.NEGATIVE_INFINITY),
            new BsonDouble(Double.POSITIVE_INFINITY),
            new BsonDecimal128(Decimal128.parse("0.5")),
            new BsonDecimal128(Decimal128.parse("1E+6000")),
            new BsonDecimal128(Decimal128.NEGATIVE_ZERO),
            new BsonString(""),
            new BsonString("a"),
            new BsonString("a\0"),
            new BsonString("a\0b"),
            new BsonString("ab"),
            new BsonString("\uffee"),
            new BsonString("🦔"),
            new BsonString(LONG_TEXT),
            new BsonString(LONG_TEXT + "a"),
            new BsonString("x".repeat(255) + "🦔"),
            new BsonString("x".repeat(255) + "y"),
            new BsonSymbol("a"),
            BsonNull.VALUE,
            new BsonUndefined(),
            BsonBoolean.TRUE,
            BsonBoolean.FALSE,
            new BsonDateTime(0),
            new BsonDateTime(-5),
            new BsonTimestamp(0x8000_0000_0000_0001L),
            new BsonTimestamp(7),
            new BsonObjectId(new ObjectId("00112233445566778899aabb")),
            new BsonObjectId(new ObjectId("ff112233445566778899aabb")),
            new BsonBinary(new byte[] {1, 2}),
            new BsonRegularExpression("^a"),
            new BsonMinKey(),
            new BsonMaxKey());

    private static final List<String> PATHS = List.of("a", "b", "c", "d.e", "d.e.f");
    private static final List<String> COMPARISONS = List.of("$eq", "$gt", "$gte", "$lt", "$lte", "$ne");

    private final Random random;

    RandomData(long seed) {
        this.random = new Random(seed);
    }

    int upTo(int bound) {
        return random.nextInt(bound + 1);
    }

    BsonDocument document() {
        BsonDocument document = new BsonDocument();
        for (String name : List.of("a", "b", "c")) {
            if (random.nextInt(5) > 0) {
                document.append(name, value(1));
            }
        }
        if (random.nextBoolean()) {
            document.append("d", nested(2));
        }
        return document;
    }

    BsonDocument filter() {
        return switch (random.nextInt(6)) {
            case 0 -> new BsonDocument("$and", new BsonArray(List.of(condition(), condition())));
            case 1 -> new BsonDocument("$or", new BsonArray(List.of(condition(), condition())));
            case 2 -> condition().append("c", interval());
            default -> condition();
        };
    }

    BsonDocument sort() {
        BsonDocument sort = new BsonDocument();
        for (int keys = random.nextInt(3); keys > 0; keys--) {
            sort.append(pick(PATHS), new BsonInt32(random.nextBoolean() ? 1 : -1));
        }
        return sort;
    }

    IndexSpec index() {
        List<String> paths = new ArrayList<>(PATHS);
        return new IndexSpec(IntStream.rangeClosed(0, random.nextInt(3))
                .mapToObj(i ->
                        new IndexSpec.IndexedField(paths.remove(random.nextInt(paths.size())), random.nextBoolean()))
                .toList());
    }

    private BsonDocument condition() {
        BsonValue test =
                switch (random.nextInt(9)) {
                    case 0 -> new BsonDocument("$in", new BsonArray(List.of(operand(), operand(), operand())));
                    case 1 -> interval();
                    case 2 -> new BsonDocument("$elemMatch", interval());
                    case 3 -> new BsonDocument("$exists", BsonBoolean.valueOf(random.nextBoolean()));
                    case 4 -> new BsonRegularExpression(pick(List.of("^a", "^x", "^long", "b")));
                    case 5 -> BsonNull.VALUE;
                    case 6 -> new BsonDocument("$eq", nothingUndefined(value(0)));
                    default -> new BsonDocument(pick(COMPARISONS), operand());
                };
        return new BsonDocument(pick(PATHS), test);
    }

    private BsonDocument interval() {
        return new BsonDocument("$gte", operand()).append("$lt", operand());
    }

    /** Returns a value that comparisons accept: anything but a regular expression or undefined. */
    private BsonValue operand() {
        BsonValue operand = scalar();
        return operand.isRegularExpression() ? new BsonInt32(1) : nothingUndefined(operand);
    }

    private static BsonValue nothingUndefined(BsonValue operand) {
        return operand instanceof BsonUndefined ? new BsonInt32(1) : operand;
    }

    private BsonValue value(int depth) {
        int kind = random.nextInt(10);
        if (kind == 0) {
            return new BsonArray(IntStream.range(0, random.nextInt(4))
                    .mapToObj(i -> value(depth + 1))
                    .toList());
        }
        return kind == 1 ? new BsonDocument("x", scalar()) : scalar();
    }

    private BsonValue nested(int depth) {
        if (random.nextInt(3) == 0) {
            return new BsonArray(IntStream.range(0, random.nextInt(4))
                    .mapToObj(i -> depth > 0 ? nested(depth - 1) : scalar())
                    .toList());
        }
        String name = depth == 2 ? "e" : "f";
        return depth == 0 || random.nextInt(5) == 0 ? scalar() : new BsonDocument(name, nested(depth - 1));
    }

    private BsonValue scalar() {
        return pick(SCALARS);
    }

    private <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
