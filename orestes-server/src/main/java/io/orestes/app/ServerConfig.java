package io.orestes.app;

import io.invalidb.aggregation.AggregateLimits;
import io.invalidb.grid.GridSize;
import io.invalidb.node.GridOptions;
import io.orestes.auth.limit.LoginThrottleConfig;
import io.orestes.auth.limit.RateLimitConfig;
import io.orestes.auth.password.AuthConfig;
import io.orestes.caching.CachingConfig;
import io.orestes.caching.sketch.SketchConfig;
import io.orestes.caching.sketch.SketchSizeRange;
import io.orestes.caching.ttl.TtlConfig;
import io.orestes.caching.ttl.TtlRules;
import io.orestes.config.Setting;
import io.orestes.config.Settings;
import io.orestes.http.HttpConfig;
import io.orestes.http.caller.TrustedProxies;
import io.orestes.live.request.LiveConfig;
import io.orestes.read.query.QueryConfig;
import io.orestes.read.response.ClassConsistency;
import io.orestes.store.embedded.database.EmbeddedStoreConfig;
import io.orestes.store.mongo.driver.MongoConfig;
import io.orestes.transaction.TransactionConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * The whole configuration. {@code schema/config.json} describes the same keys for users; a test
 * keeps both equal.
 *
 * @param store the data directory, and the limits of the embedded store on the machine
 * @param mongo a MongoDB that stores the objects instead; {@code mongo}
 * @param group coordination of several servers on that MongoDB; {@code zookeeper} and
 *     {@code group.*}
 * @param rootPassword password of the user root, set at start; {@code root-password}
 * @param demo whether to create the sample data and serve {@code /demo}; {@code demo}
 * @param maxDepth maximum number of successive references that {@code depth} follows;
 *     {@code query.max-depth}
 * @param maxQueries maximum number of distinct active queries in InvaliDB;
 *     {@code invalidb.max-queries}
 * @param maxLag maximum wait of a write to be matched before query results count as
 *     uncacheable; {@code invalidb.max-lag}
 * @param settings the report for admins, without secrets
 */
record ServerConfig(
        HttpConfig http,
        EmbeddedStoreConfig store,
        Optional<MongoConfig> mongo,
        Optional<ServerGroupConfig> group,
        CachingConfig caching,
        AuthConfig auth,
        RateLimitConfig limits,
        QueryConfig query,
        int maxDepth,
        ClassConsistency consistency,
        LiveConfig live,
        TransactionConfig transactions,
        GridOptions grid,
        int maxQueries,
        Duration maxLag,
        Optional<String> rootPassword,
        boolean demo,
        List<Setting> settings) {

    private static final int MIN_PASSWORD_LENGTH = 4;
    private static final Duration MIN_LAG = Duration.ofMillis(100);

    /** Reads every key; {@code in} collects the mistakes. */
    static ServerConfig read(Settings in) {
        Optional<MongoConfig> mongo = mongo(in);
        return new ServerConfig(
                http(in),
                store(in),
                mongo,
                group(in),
                caching(in),
                auth(in),
                limits(in),
                query(in),
                in.count("query.max-depth", 10, 0, 20),
                consistency(in),
                live(in),
                transactions(in),
                grid(in),
                in.count("invalidb.max-queries", 100_000, 1, 10_000_000),
                atLeast(MIN_LAG, in.duration("invalidb.max-lag", Duration.ofSeconds(1))),
                rootPassword(in),
                in.flag("demo"),
                SettingsReport.of(in, mongo.map(MongoConfig::hostsAndDatabase).orElse("")));
    }

    private static HttpConfig http(Settings in) {
        return new HttpConfig(
                in.text("host", "127.0.0.1"),
                in.count("port", 8080, 0, 65_535),
                in.bytes("http.max-body", 1L << 20),
                in.bytes("http.max-schema", 64L << 20),
                in.bytes("http.max-import", 4L << 30),
                data(in).resolve("imports"),
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

    private static Path data(Settings in) {
        return in.path("data", Path.of("data")).toAbsolutePath().normalize();
    }

    private static EmbeddedStoreConfig store(Settings in) {
        Path directory = data(in);
        EmbeddedStoreConfig standard = EmbeddedStoreConfig.at(directory);
        return new EmbeddedStoreConfig(
                directory,
                Math.max(1L << 20, in.bytes("store.write-buffer", standard.writeBufferBytes())),
                Math.max(1L << 20, in.bytes("store.cache", standard.cacheBytes())),
                in.count("store.read-threads", standard.readThreads(), 1, 64),
                atLeast(Duration.ofMillis(1), in.duration("store.query-budget", standard.queryBudget())));
    }

    private static Optional<MongoConfig> mongo(Settings in) {
        Duration deadline = atLeast(MIN_LAG, in.duration("mongo.deadline", Duration.ofSeconds(10)));
        Duration budget = store(in).queryBudget();
        try {
            Optional<MongoConfig> mongo = in.text("mongo").map(MongoConfig::at);
            mongo.map(MongoConfig::weakeningOptions)
                    .filter(options -> !options.isEmpty())
                    .ifPresent(options -> in.reject(
                            "mongo",
                            "must not say " + String.join(", ", options)
                                    + ": reads are of the primary, and writes of the majority and in the journal"));
            return mongo.map(config -> config.withResponseTimeout(deadline).withQueryBudget(budget));
        } catch (IllegalArgumentException malformed) {
            // The exception's message could contain a password.
            in.reject("mongo", "is no address such as mongodb://127.0.0.1:27017/orestes");
            return Optional.empty();
        }
    }

    private static Optional<ServerGroupConfig> group(Settings in) {
        Optional<ServerGroupConfig> group = ServerGroupConfig.read(in);
        if (group.isPresent() && in.text("mongo").isEmpty()) {
            in.reject("zookeeper", "is for several servers on one MongoDB, which mongo has to name");
        }
        return group;
    }

    /** Returns the place of the objects as a text for users. */
    String storeLocation() {
        return mongo.map(MongoConfig::hostsAndDatabase)
                .orElseGet(() -> store.directory().toString());
    }

    private static CachingConfig caching(Settings in) {
        CachingConfig standard = CachingConfig.DEFAULTS;
        int keys = in.count("caching.sketch-keys", 10_000, 100, 10_000_000);
        int mostKeys = in.count("caching.sketch-max-keys", 160_000, 100, 10_000_000);
        SketchConfig sketch = new SketchConfig(
                new SketchSizeRange(keys, Math.max(keys, mostKeys), 0.01),
                standard.sketch().maxKeys(),
                standard.sketch().overlap());
        return new CachingConfig(
                sketch,
                ttl(in),
                in.bytes("caching.response-bytes", standard.responseBytes()),
                standard.aliasBytes(),
                PurgeConfigReader.read(in),
                in.flag("caching.share-queries"));
    }

    private static TtlConfig ttl(Settings in) {
        TtlConfig standard = TtlConfig.DEFAULTS;
        Duration browserMax = atLeast(standard.min(), in.duration("caching.browser-max-ttl", standard.browserMax()));
        Duration sharedMax = atLeast(standard.min(), in.duration("caching.shared-max-ttl", standard.sharedMax()));
        Optional<TtlRules> rules = TtlRules.parse(in.text("caching.ttl", "auto"), browserMax, sharedMax);
        if (rules.isEmpty()) {
            in.reject(
                    "caching.ttl",
                    "is no list such as auto,Log=off,News=30s/10m of whole seconds up to "
                            + "caching.browser-max-ttl and caching.shared-max-ttl");
        }
        return new TtlConfig(
                standard.browserWriteProbability(),
                standard.sharedWriteProbability(),
                standard.min(),
                browserMax,
                sharedMax,
                standard.assumedInterval(),
                standard.trackedKeys(),
                rules.orElse(standard.rules()));
    }

    static Duration atLeast(Duration least, Duration configured) {
        return configured.compareTo(least) < 0 ? least : configured;
    }

    private static AuthConfig auth(Settings in) {
        AuthConfig standard = AuthConfig.DEFAULT;
        return new AuthConfig(
                in.duration("auth.session-lifetime", standard.sessionLifetime()),
                standard.argonMemoryKib(),
                standard.argonPasses());
    }

    private static RateLimitConfig limits(Settings in) {
        RateLimitConfig standard = RateLimitConfig.DEFAULT;
        Duration shortest = Duration.ofSeconds(1);
        return new RateLimitConfig(
                isOn(in, "rate-limit"),
                in.count("rate-limit.requests", standard.requests(), 1, 1_000_000_000),
                in.count("rate-limit.registrations", standard.registrations(), 1, 1_000_000_000),
                atLeast(shortest, in.duration("rate-limit.window", standard.window())),
                atLeast(shortest, in.duration("rate-limit.ban", standard.ban())),
                in.flag("rate-limit.loopback"),
                logins(in));
    }

    private static LoginThrottleConfig logins(Settings in) {
        LoginThrottleConfig standard = LoginThrottleConfig.DEFAULT;
        Duration shortest = Duration.ofSeconds(1);
        return new LoginThrottleConfig(
                in.count("rate-limit.login-failures", standard.failures(), 1, 1_000_000_000),
                in.count("rate-limit.login-failures-account", standard.accountFailures(), 1, 1_000_000_000),
                in.count("rate-limit.login-failures-address", standard.addressFailures(), 1, 1_000_000_000),
                atLeast(shortest, in.duration("rate-limit.login-pause", standard.longestPause())),
                atLeast(shortest, in.duration("rate-limit.login-window", standard.window())),
                atLeast(shortest, in.duration("rate-limit.login-window-shared", standard.sharedWindow())));
    }

    private static boolean isOn(Settings in, String key) {
        String value = in.text(key, "on");
        if (!value.equals("on") && !value.equals("off")) {
            in.reject(key, "is neither on nor off: " + value);
        }
        return !value.equals("off");
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

    private static ClassConsistency consistency(Settings in) {
        Optional<ClassConsistency> consistency = ClassConsistency.parse(in.text("caching.consistency", ""));
        if (consistency.isEmpty()) {
            in.reject("caching.consistency", "is no list such as News=any,Stock=bounded;max-age=5,Vote=fresh");
        }
        return consistency.orElse(ClassConsistency.NONE);
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
                atLeast(Duration.ofMillis(1), in.duration("transaction.timeout", standard.timeout())),
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

    private static Optional<String> rootPassword(Settings in) {
        Optional<String> password = in.text("root-password");
        if (password.filter(text -> text.length() < MIN_PASSWORD_LENGTH).isPresent()) {
            in.reject("root-password", "has to have at least " + MIN_PASSWORD_LENGTH + " characters");
        }
        return password;
    }
}
