package io.orestes.app.config;

import io.orestes.caching.CachingConfig;
import io.orestes.caching.sketch.SketchConfig;
import io.orestes.caching.sketch.SketchSizeRange;
import io.orestes.caching.ttl.TtlConfig;
import io.orestes.caching.ttl.TtlRules;
import io.orestes.config.Settings;
import java.time.Duration;
import java.util.Optional;

/**
 * The reader of the configuration keys below {@code caching}, except {@code caching.consistency}.
 */
final class CachingConfigReader {

    private CachingConfigReader() {}

    static CachingConfig read(Settings in) {
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
        Duration browserMax = in.duration("caching.browser-max-ttl", standard.browserMax(), standard.min());
        Duration sharedMax = in.duration("caching.shared-max-ttl", standard.sharedMax(), standard.min());
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
}
