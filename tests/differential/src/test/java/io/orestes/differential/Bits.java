package io.orestes.differential;

import java.util.List;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonValue;

/** Bits of numbers and of binary data. */
final class Bits implements Family {

    private final SeededRandom dice;
    private final Values values;

    Bits(SeededRandom dice) {
        this.dice = dice;
        this.values = new Values(dice);
    }

    @Override
    public BsonDocument document() {
        return new BsonDocument("a", dice.chance(10) ? values.value(2) : scalar());
    }

    private BsonValue scalar() {
        return switch (dice.below(4)) {
            case 0 -> values.binary();
            case 1 -> new BsonInt64(dice.anyLong() >> dice.below(64));
            default -> values.number();
        };
    }

    @Override
    public BsonDocument filter() {
        BsonDocument test = new BsonDocument(
                dice.one(List.of("$bitsAllSet", "$bitsAllClear", "$bitsAnySet", "$bitsAnyClear")), mask());
        return new BsonDocument("a", dice.chance(20) ? new BsonDocument("$not", test) : test);
    }

    private BsonValue mask() {
        return switch (dice.below(8)) {
            case 0 -> values.value(1);
            case 1 -> new BsonInt64(dice.anyLong() >>> dice.below(64));
            case 2 -> new BsonInt32(dice.below(20));
            case 3 -> new BsonBinary(new byte[] {(byte) dice.below(4), (byte) dice.below(2)});
            default -> dice.some(0, 3, this::position);
        };
    }

    private BsonValue position() {
        return dice.chance(10) ? values.number() : new BsonInt32(dice.below(dice.one(List.of(4, 20, 70, 1 << 30))));
    }
}
