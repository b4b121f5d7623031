package io.orestes.differential;

import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonString;

/** Queries for places near a point of the plane. */
final class PlanePlaces implements Family {

    private final SeededRandom dice;

    PlanePlaces(SeededRandom dice) {
        this.dice = dice;
    }

    @Override
    public List<BsonDocument> indexes() {
        return List.of(new BsonDocument("a", new BsonString("2d")));
    }

    @Override
    public BsonDocument document() {
        return dice.chance(10) ? new BsonDocument() : new BsonDocument("a", pair());
    }

    private BsonArray pair() {
        return new BsonArray(List.of(new BsonDouble(dice.between(-100, 100)), new BsonDouble(dice.between(-80, 80))));
    }

    @Override
    public BsonDocument filter() {
        BsonDocument near = new BsonDocument("$near", pair());
        if (dice.chance(50)) {
            near.append("$maxDistance", new BsonDouble(dice.between(0, 100)));
        }
        if (dice.chance(30)) {
            near.append("$minDistance", new BsonDouble(dice.between(0, 60)));
        }
        return new BsonDocument("a", near);
    }
}
