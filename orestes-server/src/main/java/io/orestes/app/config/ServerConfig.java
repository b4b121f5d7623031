package io.orestes.app.config;

import io.invalidb.aggregation.AggregateLimits;
import io.invalidb.grid.GridSize;
import io.invalidb.node.GridOptions;
import io.orestes.auth.limit.RateLimitConfig;
import io.orestes.auth.password.AuthConfig;
import io.orestes.caching.Caches;
import io.orestes.caching.CachingConfig;
import io.orestes.caching.ttl.TtlConfig;
import io.orestes.config.EffectiveSetting;
import io.orestes.config.Settings;
import io.orestes.http.HttpConfig;
import io.orestes.http.caller.TrustedProxies;
import io.orestes.live.request.LiveConfig;
import io.orestes.read.query.QueryConfig;
import io.orestes.read.response.ConsistencyDefaults;
import io.orestes.store.embedded.database.EmbeddedStoreConfig;
import io.orestes.store.mongo.driver.MongoConfig;
import io.orestes.transaction.TransactionConfig;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The whole configuration. {@code schema/config.json} describes the same keys for users; a test
 * keeps both equal.
 *
 * @param store the data directory, and the limits of the embedded store on the machine
 * @param mongo a MongoDB that stores the objects instead, if any; {@code mongo}
 * @param group coordination of several servers on that MongoDB, if any; {@code zookeeper} and
 *     {@code group.*}
 * @param rootPassword password of the user root, set at start if there is one;
 *     {@code root-password}
 * @param demo whether to create the sample data and serve {@code /demo}; {@code demo}
 * @param maxDepth maximum number of successive references that {@code depth} follows;
 *     {@code query.max-depth}
 * @param maxQueries maximum number of distinct active queries in InvaliDB;
 *     {@code invalidb.max-queries}
 * @param maxLag maximum wait of a write to be matched before query results count as
 *     uncacheable; {@code invalidb.max-lag}
 * @param settings the report for admins, without secrets
 */
public record ServerConfig(
        HttpConfig http,
        EmbeddedStoreConfig store,
        @Nullable MongoConfig mongo,
        @Nullable ServerGroupConfig group,
        CachingConfig caching,
        AuthConfig auth,
        RateLimitConfig limits,
        QueryConfig query,
        int maxDepth,
        ConsistencyDefaults consistency,
        LiveConfig live,
        TransactionConfig transactions,
        GridOptions grid,
        int maxQueries,
        Duration maxLag,
        @Nullable String rootPassword,
        boolean demo,
        List<EffectiveSetting> settings) {

    private static final int MIN_PASSWORD_LENGTH = 4;
    private static final Duration MIN_LAG = Duration.ofMillis(100);

    /** Reads every key; {@code in} collects the mistakes. */
    public static ServerConfig read(Settings in) {
        MongoConfig mongo = StoreConfigReader.mongo(in).orElse(null);
        return new ServerConfig(
                http(in),
                StoreConfigReader.embedded(in),
                mongo,
                group(in),
                CachingConfigReader.read(in),
                auth(in),
                RateLimitConfigReader.read(in),
                query(in),
                in.count("query.max-depth", 10, 0, 20),
                consistency(in),
                live(in),
                transactions(in),
                grid(in),
                in.count("invalidb.max-queries", 100_000, 1, 10_000_000),
                in.duration("invalidb.max-lag", Duration.ofSeconds(1), MIN_LAG),
                rootPassword(in),
                in.flag("demo"),
                SettingsReport.of(in, mongo == null ? "" : mongo.hostsAndDatabase()));
    }

    private static HttpConfig http(Settings in) {
        return new HttpConfig(
                in.text("host", "127.0.0.1"),
                in.count("port", 8080, 0, 65_535),
                in.bytes("http.max-body", 1L << 20),
                in.bytes("http.max-schema", 64L << 20),
                in.bytes("http.max-import", 4L << 30),
                StoreConfigReader.directory(in).resolve("imports"),
                in.bytes("http.max-pending-bodies", 256L << 20),
                in.duration("http.body-timeout", Duration.ofSeconds(30)),
                in.count("http.max-uri", 16 * 1024, 1024, 1 << 20),
                in.duration("http.idle-timeout", Duration.ofMinutes(2)),
                in.duration("http.drain-timeout", Duration.ofSeconds(10)),
                trustedProxies(in));
    }

    private static TrustedProxies trustedProxies(Settings in) {
        Optional<TrustedProxies> proxies = TrustedProxies.parse(in.text("http.trusted-proxies", ""));
        if (proxies.isEmpty()) {
            in.reject(
                    "http.trusted-proxies",
                    "is no list of addresses and networks such as 127.0.0.1,10.0.0.0/8,fd00::/8");
        }
        return proxies.orElse(TrustedProxies.NONE);
    }

    private static @Nullable ServerGroupConfig group(Settings in) {
        Optional<ServerGroupConfig> group = ServerGroupConfig.read(in);
        if (group.isPresent() && in.text("mongo").isEmpty()) {
            in.reject("zookeeper", "is for several servers on one MongoDB, which mongo has to name");
        }
        return group.orElse(null);
    }

    /** Returns the place of the objects as a text for users. */
    public String storeLocation() {
        return mongo == null ? store.directory().toString() : mongo.hostsAndDatabase();
    }

    /** Returns the longest time to live that this server grants to any cache. */
    public Duration longestTtl() {
        TtlConfig ttl = caching.ttl();
        Duration longest = ttl.browserMax().compareTo(ttl.sharedMax()) > 0 ? ttl.browserMax() : ttl.sharedMax();
        return longest.plus(Caches.LIFETIME_TOLERANCE);
    }

    private static AuthConfig auth(Settings in) {
        AuthConfig standard = AuthConfig.DEFAULT;
        return new AuthConfig(
                in.duration("auth.session-lifetime", standard.sessionLifetime()),
                standard.argonMemoryKib(),
                standard.argonPasses());
    }

    private static QueryConfig query(Settings in) {
        return new QueryConfig(
                in.count("query.max-results", 500, 1, 1_000_000),
                in.count("query.max-cached", 10_000, 0, 10_000_000),
                in.count("query.max-members", 5_000, 0, 1_000_000),
                in.count("query.max-groups", 1_000, 1, 1_000_000),
                in.count("query.max-prepared", 1_000, 0, 1_000_000),
                in.flag("query.polymorphic"));
    }

    private static ConsistencyDefaults consistency(Settings in) {
        Optional<ConsistencyDefaults> consistency = ConsistencyDefaults.parse(in.text("caching.consistency", ""));
        if (consistency.isEmpty()) {
            in.reject("caching.consistency", "is no list such as News=any,Stock=bounded;max-age=5,Vote=fresh");
        }
        return consistency.orElse(ConsistencyDefaults.NONE);
    }

    private static LiveConfig live(Settings in) {
        return new LiveConfig(
                in.duration("live.resume-window", Duration.ofSeconds(30)),
                in.count("live.retained-events", 128, 0, 100_000),
                in.bytes("live.retained-bytes", 64L << 20),
                in.bytes("live.held-bytes", Runtime.getRuntime().maxMemory() / 4),
                in.count("live.max-result", 10_000, 1, 1_000_000),
                in.count("live.max-window", 500, 1, 10_000),
                in.count("live.slack", 10, 1, 10_000),
                in.duration("live.renewal-interval", Duration.ofSeconds(1)),
                aggregates(in),
                in.bytes("live.max-pending", 4L << 20),
                in.count("live.max-per-socket", 1_000, 1, 1_000_000),
                in.duration("live.heartbeat", Duration.ofSeconds(15)),
                in.duration("live.socket-delay", Duration.ofMillis(5)));
    }

    private static TransactionConfig transactions(Settings in) {
        TransactionConfig standard = TransactionConfig.DEFAULTS;
        return new TransactionConfig(
                in.duration("transaction.timeout", standard.timeout(), Duration.ofMillis(1)),
                in.count("transaction.max-open", standard.maxOpen(), 1, 10_000_000),
                in.count("transaction.max-open-per-caller", standard.maxOpenPerCaller(), 1, 10_000_000),
                in.count("transaction.max-operations", standard.maxOperations(), 1, 100_000));
    }

    private static AggregateLimits aggregates(Settings in) {
        return new AggregateLimits(
                in.count("live.max-members", 50_000, 1, 10_000_000),
                in.count("live.max-groups", 1_000, 1, 1_000_000),
                in.bytes("live.max-aggregate", 16L << 20));
    }

    /**
     * Reads the grid: by default one query partition and one write partition for each processor.
     */
    private static GridOptions grid(Settings in) {
        int[] size = in.grid("invalidb.grid", new int[] {1, Runtime.getRuntime().availableProcessors()}, 64);
        long retainedBytes = in.bytes("invalidb.retained-bytes", 32L << 20);
        return new GridOptions(
                new GridSize(size[0], size[1]),
                in.duration("invalidb.retention", Duration.ofSeconds(30)),
                in.count("invalidb.retained-writes", 20_000, 1, 10_000_000),
                Math.max(1, retainedBytes / size[1]),
                InstantSource.system());
    }

    private static @Nullable String rootPassword(Settings in) {
        Optional<String> password = in.text("root-password");
        if (password.filter(text -> text.length() < MIN_PASSWORD_LENGTH).isPresent()) {
            in.reject("root-password", "has to have at least " + MIN_PASSWORD_LENGTH + " characters");
        }
        return password.orElse(null);
    }
}
