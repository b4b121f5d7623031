package io.orestes.differential;

import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Places in all spellings and regions of the plane and of the sphere. */
final class Places implements Family {

    private final SeededRandom dice;
    private final Values values;
    private final Geometries geometries;

    Places(SeededRandom dice) {
        this.dice = dice;
        this.values = new Values(dice);
        this.geometries = new Geometries(dice, this::pair);
    }

    @Override
    public BsonDocument document() {
        return switch (dice.below(18)) {
            case 0 -> new BsonDocument("a", dice.some(0, 3, this::place));
            case 1 -> new BsonDocument("a", new BsonDocument("b", place()));
            case 2 -> new BsonDocument("a", dice.some(0, 2, () -> new BsonDocument("b", place())));
            case 3 -> new BsonDocument("a", values.value(2));
            case 4 -> new BsonDocument("a", odd());
            case 5, 6, 7, 8, 9, 10 -> new BsonDocument("a", geometries.stored());
            case 11 -> new BsonDocument("a", dice.some(1, 3, () -> dice.chance(70) ? geometries.stored() : place()));
            case 12 -> new BsonDocument("a", new BsonDocument("b", geometries.stored()));
            default -> new BsonDocument("a", place());
        };
    }

    private BsonValue place() {
        return dice.chance(50) ? pair() : dice.chance(80) ? point(pair()) : named();
    }

    private BsonDocument named() {
        BsonArray pair = pair();
        return new BsonDocument("x", pair.get(0)).append("y", pair.get(1));
    }

    private BsonValue odd() {
        return switch (dice.below(6)) {
            case 0 -> new BsonArray(List.of(new BsonInt32(1)));
            case 1 -> dice.some(2, 3, values::number);
            case 2 -> point(dice.some(1, 3, values::number));
            case 3 -> point(pair()).append("crs", crs(dice));
            case 4 -> new BsonDocument("type", values.value(0)).append("coordinates", pair());
            default -> new BsonDocument("coordinates", pair()).append("type", new BsonString("Point"));
        };
    }

    static BsonDocument point(BsonArray coordinates) {
        return Geometries.of("Point", coordinates);
    }

    static BsonDocument crs(SeededRandom dice) {
        String name = dice.one(List.of("EPSG:4326", "urn:ogc:def:crs:OGC:1.3:CRS84", "EPSG:1", "x"));
        return new BsonDocument("type", new BsonString("name"))
                .append("properties", new BsonDocument("name", new BsonString(name)));
    }

    private BsonArray pair() {
        if (dice.chance(50)) {
            return pair(dice.below(7) - 3, dice.below(7) - 3);
        }
        double scale = dice.one(List.of(1.0, 1.0, 30.0));
        return pair(dice.between(-6, 6) * scale, dice.between(-3, 3) * scale);
    }

    static BsonArray pair(double x, double y) {
        boolean whole = x == (int) x && y == (int) y;
        return new BsonArray(
                whole
                        ? List.of(new BsonInt32((int) x), new BsonInt32((int) y))
                        : List.of(new BsonDouble(x), new BsonDouble(y)));
    }

    @Override
    public BsonDocument filter() {
        BsonDocument test = dice.chance(60)
                ? new BsonDocument(dice.chance(95) ? "$geoWithin" : "$within", region())
                : new BsonDocument("$geoIntersects", new BsonDocument("$geometry", geometries.any()));
        String path = dice.one(List.of("a", "a", "a", "a.b", "a.0"));
        return new BsonDocument(path, dice.chance(15) ? new BsonDocument("$not", test) : test);
    }

    private BsonDocument region() {
        return switch (dice.below(6)) {
            case 0 -> new BsonDocument("$box", new BsonArray(List.of(pair(), pair())));
            case 1 -> new BsonDocument("$center", new BsonArray(List.of(pair(), radius(4))));
            case 2 -> new BsonDocument("$centerSphere", new BsonArray(List.of(pair(), radius(0.2))));
            case 3 -> new BsonDocument("$polygon", dice.some(2, 6, this::pair));
            case 4 -> new BsonDocument("$geometry", geometries.multiPolygon());
            default -> new BsonDocument("$geometry", geometries.polygon());
        };
    }

    private BsonValue radius(double most) {
        return dice.chance(10) ? values.number() : new BsonDouble(dice.between(0, most));
    }
}
