package io.orestes.differential;

import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.aggregation.AggregateLimits;
import io.invalidb.aggregation.AggregateSpec;
import io.invalidb.aggregation.LiveAggregate;
import io.invalidb.aggregation.OneShotAggregate;
import io.invalidb.model.MatchEvent;
import io.invalidb.model.MatchType;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.value.BsonOrder;
import io.invalidb.query.value.CanonicalValue;
import io.orestes.support.mongo.Mongod;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.types.Decimal128;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Compares the groups and values that {@code $group} computes on both sides. {@code -Dorestes.seed}
 * is the first seed, {@code -Dorestes.rounds} the number of seeds.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class AggregateTest {

    private static final long FIRST_SEED = Long.getLong("orestes.seed", 1);
    private static final int ROUNDS = Integer.getInteger("orestes.rounds", 3) * 5;
    private static final int DOCUMENTS = 60;
    private static final int AGGREGATES = 200;
    private static final AggregateLimits BOUNDS = new AggregateLimits(1_000, 1_000, 1 << 24);

    /**
     * Decimal sums of doubles differ in the last of their 34 digits: mongod adds up the doubles in
     * 106 bits first.
     */
    private static final BigDecimal LAST_DIGITS = new BigDecimal("1E-28");

    private final Mongod mongod = Mongod.inTemporaryFolder().start();
    private final List<String> disagreements = new ArrayList<>();
    private int groups;

    @AfterAll
    void stop() {
        mongod.close();
    }

    @Test
    void group_anyDocuments_sameRows() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + ROUNDS; seed++) {
            compare(seed);
        }
        System.out.println(
                "aggregates, seeds from " + FIRST_SEED + ": " + ROUNDS * AGGREGATES + " of " + groups + " groups");
        assertThat(disagreements).isEmpty();
        assertThat(groups).isGreaterThan(ROUNDS * AGGREGATES);
    }

    private void compare(long seed) {
        Aggregates family = new Aggregates(new SeededRandom(seed));
        List<BsonDocument> documents = new ArrayList<>();
        for (int id = 0; id < DOCUMENTS; id++) {
            BsonDocument document = new BsonDocument("_id", new BsonInt32(id));
            document.putAll(family.document());
            documents.add(document);
        }
        MongodCollection genuine = new MongodCollection(mongod.database("differential"), "aggregates");
        genuine.hold(documents);
        for (int i = 0; i < AGGREGATES; i++) {
            compare("seed " + seed, genuine, documents, family.group());
        }
    }

    private void compare(String seed, MongodCollection genuine, List<BsonDocument> documents, BsonDocument group) {
        int size = 1 + Math.floorMod(group.hashCode(), DOCUMENTS);
        Map<BsonValue, BsonDocument> theirs = byId(genuine.group(group, size));
        Map<BsonValue, BsonDocument> ours = byId(ours(group, documents, size));
        groups += theirs.size();
        if (!agree(AggregateSpec.parse(group), theirs, ours) && disagreements.size() < 8) {
            disagreements.add(seed + ": " + group.toJson() + " of " + size + "\n  mongod: " + theirs.values()
                    + "\n  ours:   " + ours.values());
        }
    }

    /**
     * Computes the groups once, and again by an aggregate from which the other objects were
     * removed: both are equal.
     */
    private static List<BsonDocument> ours(BsonDocument group, List<BsonDocument> documents, int size) {
        AggregateSpec spec = AggregateSpec.parse(group);
        OneShotAggregate once = new OneShotAggregate(spec, BOUNDS);
        LiveAggregate live = new LiveAggregate(spec, BOUNDS);
        documents.subList(0, size).forEach(once::add);
        documents.forEach(document -> live.add(id(document), new VersionStamp(1, 1), document));
        documents.subList(size, DOCUMENTS).forEach(document -> assertThat(
                        live.apply(gone(id(document)), new PeriodicStepBudget()))
                .isNotNull());
        assertThat(live.rows()).isEqualTo(once.rows());
        return once.rows();
    }

    private static String id(BsonDocument document) {
        return "" + document.getInt32("_id").getValue();
    }

    private static MatchEvent gone(String id) {
        return new MatchEvent("q", MatchType.REMOVE, new WriteEvent.Delete("B", id, new VersionStamp(1, 2)));
    }

    private static Map<BsonValue, BsonDocument> byId(List<BsonDocument> rows) {
        Map<BsonValue, BsonDocument> byId = new TreeMap<>(BsonOrder.INSTANCE);
        rows.forEach(row -> byId.put(CanonicalValue.of(row.get("_id", BsonNull.VALUE)), row));
        assertThat(byId).hasSameSizeAs(rows);
        return byId;
    }

    private static boolean agree(
            AggregateSpec spec, Map<BsonValue, BsonDocument> theirs, Map<BsonValue, BsonDocument> ours) {
        return theirs.keySet().equals(ours.keySet())
                && theirs.entrySet().stream()
                        .allMatch(row ->
                                agree(spec, row.getValue(), ours.getOrDefault(row.getKey(), new BsonDocument())));
    }

    private static boolean agree(AggregateSpec spec, BsonDocument theirs, BsonDocument ours) {
        return theirs.keySet().equals(ours.keySet())
                && theirs.entrySet().stream()
                        .filter(field -> !field.getKey().equals("_id"))
                        .allMatch(field -> agree(
                                isExtreme(spec, field.getKey()),
                                field.getValue(),
                                ours.get(field.getKey(), BsonNull.VALUE)));
    }

    private static boolean isExtreme(AggregateSpec spec, String field) {
        String operator = spec.toBson().getDocument(field).getFirstKey();
        return operator.equals("$min") || operator.equals("$max");
    }

    /**
     * Of several smallest values mongod returns the first it finds, so types of extremes are not
     * compared.
     */
    private static boolean agree(boolean isExtreme, BsonValue theirs, BsonValue ours) {
        if (isExtreme) {
            return BsonOrder.INSTANCE.compare(theirs, ours) == 0;
        }
        return theirs.getBsonType() == ours.getBsonType()
                && (BsonOrder.INSTANCE.compare(theirs, ours) == 0 || isNear(theirs, ours));
    }

    /** Ours is the nearest double; mongod's is sometimes its neighbour, or the quotient of that. */
    private static boolean isNear(BsonValue theirs, BsonValue ours) {
        if (theirs.isDouble()) {
            double value = ours.asDouble().getValue();
            return Math.abs(theirs.asDouble().getValue() - value) <= 2 * Math.ulp(value);
        }
        return areNearDecimals(theirs, ours);
    }

    private static boolean areNearDecimals(BsonValue theirs, BsonValue ours) {
        if (!theirs.isDecimal128() || !theirs.asDecimal128().getValue().isFinite()) {
            return false;
        }
        BigDecimal value = theirs.asDecimal128().getValue().bigDecimalValue();
        Decimal128 other = ours.asDecimal128().getValue();
        return other.isFinite()
                && value.subtract(other.bigDecimalValue())
                                .abs()
                                .compareTo(value.abs().multiply(LAST_DIGITS))
                        <= 0;
    }
}
