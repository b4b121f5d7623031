package io.orestes.store.mongo.driver;

import com.mongodb.ConnectionString;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The configuration of the MongoDB store: address, time-outs and whether other processes share the
 * objects.
 *
 * @param address a {@code mongodb://} or {@code mongodb+srv://} address; its options for time-outs
 *     and the pool apply
 * @param responseTimeout maximum time to wait for one response of the server, more than 0; then the
 *     call fails with {@code UNAVAILABLE}
 * @param queryBudget maximum time that one query or count may run, more than 0; then it fails
 * @param isShared whether other processes use the same objects
 */
public record MongoConfig(ConnectionString address, Duration responseTimeout, Duration queryBudget, boolean isShared) {

    private static final String DATABASE = "orestes";
    private static final String MAJORITY = "majority";

    public MongoConfig {
        if (responseTimeout.isNegative()
                || responseTimeout.isZero()
                || queryBudget.isNegative()
                || queryBudget.isZero()) {
            throw new IllegalArgumentException("The time-outs of MongoDB have to be positive");
        }
    }

    /**
     * Returns a configuration with ten seconds for a response, five for a query, and no other
     * processes.
     */
    public static MongoConfig at(String address) {
        return new MongoConfig(new ConnectionString(address), Duration.ofSeconds(10), Duration.ofSeconds(5), false);
    }

    /** Returns this configuration with another time for a response. */
    public MongoConfig withResponseTimeout(Duration other) {
        return new MongoConfig(address, other, queryBudget, isShared);
    }

    /** Returns this configuration with another time for queries. */
    public MongoConfig withQueryBudget(Duration other) {
        return new MongoConfig(address, responseTimeout, other, isShared);
    }

    /** Returns this configuration for a store that other processes share. */
    public MongoConfig shared() {
        return new MongoConfig(address, responseTimeout, queryBudget, true);
    }

    /**
     * Returns the maximum time in which a majority has to confirm a read. It is shorter than the
     * response time-out, so that MongoDB gives up before it counts as silent.
     */
    public Duration maxConfirmationTime() {
        return responseTimeout.dividedBy(2);
    }

    /**
     * Returns the options of the address that weaken the guarantees of reads and writes; they are
     * ignored.
     */
    public List<String> weakeningOptions() {
        ReadPreference from = Objects.requireNonNullElse(address.getReadPreference(), ReadPreference.primary());
        ReadConcern level = Objects.requireNonNullElse(address.getReadConcern(), ReadConcern.MAJORITY);
        WriteConcern safe = Objects.requireNonNullElse(address.getWriteConcern(), WriteConcern.MAJORITY);
        Object confirmedBy = Objects.requireNonNullElse(safe.getWObject(), MAJORITY);
        boolean isInJournal = Objects.requireNonNullElse(safe.getJournal(), true);
        return Stream.of(
                        from.equals(ReadPreference.primary()) ? "" : "readPreference",
                        level.equals(ReadConcern.MAJORITY) ? "" : "readConcernLevel",
                        confirmedBy.equals(MAJORITY) ? "" : "w",
                        isInJournal ? "" : "journal")
                .filter(option -> !option.isEmpty())
                .toList();
    }

    /** Returns hosts and database, without user and password. */
    public String hostsAndDatabase() {
        return "MongoDB at " + String.join(",", address.getHosts()) + "/" + database();
    }

    /**
     * Returns the name of this process in MongoDB: fixed if it is alone, unique over time beside
     * others.
     */
    public String processName() {
        return application() + (isShared ? "/" + UUID.randomUUID() : "");
    }

    /** Returns a pattern of the names of all processes on this database. */
    public Pattern processNames() {
        return Pattern.compile("^" + Pattern.quote(application()) + "(/|$)");
    }

    private String application() {
        return "orestes/" + database();
    }

    /** Returns the database that the address names, else {@code orestes}. */
    public String database() {
        return Optional.ofNullable(address.getDatabase()).orElse(DATABASE);
    }
}
