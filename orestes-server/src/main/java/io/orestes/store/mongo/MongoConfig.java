package io.orestes.store.mongo;

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
 * @param address a {@code mongodb://} or {@code mongodb+srv://} address; what it says of time-outs
 *     and the pool counts
 * @param answerWithin longest time to wait for one answer of the server, more than 0; then the call
 *     fails with {@code UNAVAILABLE}
 * @param queryBudget longest time that one query or count may run, more than 0; then it fails
 * @param isShared whether other processes keep the same objects there
 */
public record MongoConfig(ConnectionString address, Duration answerWithin, Duration queryBudget, boolean isShared) {

    private static final String DATABASE = "orestes";
    private static final String MAJORITY = "majority";

    public MongoConfig {
        if (answerWithin.isNegative() || answerWithin.isZero() || queryBudget.isNegative() || queryBudget.isZero()) {
            throw new IllegalArgumentException("MongoDB needs time to answer");
        }
    }

    /** Ten seconds for an answer, five for a query, and no other processes. */
    public static MongoConfig at(String address) {
        return new MongoConfig(new ConnectionString(address), Duration.ofSeconds(10), Duration.ofSeconds(5), false);
    }

    /** The same with another time for an answer. */
    public MongoConfig withAnswerWithin(Duration other) {
        return new MongoConfig(address, other, queryBudget, isShared);
    }

    /** The same with another time for queries. */
    public MongoConfig withQueryBudget(Duration other) {
        return new MongoConfig(address, answerWithin, other, isShared);
    }

    /** The same beside other processes. */
    public MongoConfig shared() {
        return new MongoConfig(address, answerWithin, queryBudget, true);
    }

    /**
     * Longest time in which a majority has to confirm a read: MongoDB gives up before it is taken
     * for silent.
     */
    Duration confirmWithin() {
        return answerWithin.dividedBy(2);
    }

    /**
     * The options of the address that ask for less than what is promised of reads and writes, none
     * of which counts.
     */
    public List<String> weakening() {
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

    /** Hosts and database, without user and password. */
    public String place() {
        return "MongoDB at " + String.join(",", address.getHosts()) + "/" + database();
    }

    /**
     * What a process is called there: alone always the same, beside others a name that no other one
     * ever has.
     */
    String processName() {
        return application() + (isShared ? "/" + UUID.randomUUID() : "");
    }

    /** Matches the names of all processes on this database. */
    Pattern processNames() {
        return Pattern.compile("^" + Pattern.quote(application()) + "(/|$)");
    }

    private String application() {
        return "orestes/" + database();
    }

    /** The database that the address names, else {@code orestes}. */
    String database() {
        return Optional.ofNullable(address.getDatabase()).orElse(DATABASE);
    }
}
