package io.orestes.differential;

import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Queries for places near a point of the sphere. No two places are equally far from another one, so
 * that there is one order.
 */
final class NearPlaces implements Family {

    private final SeededRandom dice;
    private final Values values;
    private final Geometries geometries;
    private int areas = 0;

    NearPlaces(SeededRandom dice) {
        this.dice = dice;
        this.values = new Values(dice);
        this.geometries = new Geometries(dice, this::pair);
    }

    @Override
    public List<BsonDocument> indexes() {
        return List.of(new BsonDocument("a", new BsonString("2dsphere")));
    }

    @Override
    public BsonDocument document() {
        BsonDocument document = new BsonDocument("b", values.number());
        return dice.chance(10) ? document : document.append("a", place());
    }

    private BsonValue place() {
        if (dice.chance(40)) {
            return geometry();
        }
        return dice.chance(50) ? pair() : Places.point(pair());
    }

    /** Returns areas that are disjoint, so that no place lies in two of them. */
    private BsonDocument geometry() {
        return switch (dice.below(5)) {
            case 0 -> Geometries.of("LineString", dice.some(2, 4, this::pair));
            case 1 -> Geometries.of("MultiPoint", dice.some(1, 3, this::pair));
            case 2 -> Geometries.of("MultiPolygon", dice.some(1, 2, () -> new BsonArray(List.of(area()))));
            case 3 ->
                new BsonDocument("type", new BsonString("GeometryCollection"))
                        .append("geometries", dice.some(1, 2, () -> Places.point(pair())));
            default -> Geometries.of("Polygon", new BsonArray(List.of(area())));
        };
    }

    private BsonArray area() {
        areas = (areas + 1) % 578;
        return geometries.ring(areas % 34 * 10 - 165, areas / 34 * 10 - 80, 3);
    }

    private BsonArray pair() {
        double scale = dice.one(List.of(1.0, 0.01));
        return new BsonArray(List.of(
                new BsonDouble(dice.between(-180, 180) * scale), new BsonDouble(dice.between(-90, 90) * scale)));
    }

    @Override
    public BsonDocument filter() {
        BsonDocument filter = new BsonDocument("a", near());
        if (dice.chance(30)) {
            filter.append("b", new BsonDocument("$gt", values.number()));
        }
        return switch (dice.below(20)) {
            case 0 -> new BsonDocument(dice.one(List.of("$or", "$nor")), new BsonArray(List.of(filter)));
            case 1 -> new BsonDocument("$and", new BsonArray(List.of(filter, new BsonDocument("a", near()))));
            case 2 -> new BsonDocument("$and", new BsonArray(List.of(filter)));
            case 3 -> new BsonDocument("a", new BsonDocument("$not", near()));
            default -> filter;
        };
    }

    private BsonDocument near() {
        String operator = dice.one(List.of("$near", "$nearSphere"));
        if (dice.chance(70)) {
            BsonDocument operand = new BsonDocument("$geometry", Places.point(pair()));
            return new BsonDocument(operator, withBounds(operand, 6_000_000));
        }
        BsonValue center = dice.chance(50) ? pair() : Places.point(pair());
        return withBounds(new BsonDocument("$nearSphere", center), center.isArray() ? 1 : 6_000_000);
    }

    private BsonDocument withBounds(BsonDocument near, double scale) {
        if (dice.chance(50)) {
            near.append("$maxDistance", bound(scale));
        }
        return dice.chance(30) ? near.append("$minDistance", bound(scale)) : near;
    }

    private BsonValue bound(double scale) {
        return dice.chance(5) ? values.number() : new BsonDouble(dice.between(0, 2) * scale);
    }
}
