package io.orestes.read.response;

import io.orestes.caching.ttl.Ttls;
import io.orestes.model.ReadLevel;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The default consistency of reads for each class, as configured ({@code caching.consistency}). It
 * applies to requests that name none themselves.
 *
 * @param byClass the classes with another level than {@link Consistency#BOUNDED}
 */
public record ConsistencyDefaults(Map<String, Consistency> byClass) {

    public static final ConsistencyDefaults NONE = new ConsistencyDefaults(Map.of());

    public ConsistencyDefaults {
        byClass = Map.copyOf(byClass);
    }

    /**
     * Parses {@code News=any,Stock=bounded;max-age=5,Vote=fresh}; empty if that is malformed or
     * names a class twice.
     */
    public static Optional<ConsistencyDefaults> parse(String text) {
        Map<String, Consistency> byClass = new HashMap<>();
        for (String setting : text.isBlank() ? new String[0] : text.split(",", -1)) {
            String[] parts = setting.strip().split("\\s*=\\s*", 2);
            Optional<Consistency> consistency = parts.length < 2 ? Optional.empty() : Consistency.parse(parts[1]);
            if (consistency.isEmpty() || parts[0].isEmpty() || byClass.put(parts[0], consistency.get()) != null) {
                return Optional.empty();
            }
        }
        return Optional.of(new ConsistencyDefaults(byClass));
    }

    public Consistency of(String bucket) {
        return byClass.getOrDefault(bucket, Consistency.BOUNDED);
    }

    /**
     * Returns the level of a read of the class: that of the request or of the class, whichever is
     * stricter.
     */
    public ReadLevel level(String bucket, ReadLevel demanded) {
        return of(bucket).isFresh() ? ReadLevel.LINEARIZABLE : demanded;
    }

    /** Returns whether caches may store public responses of the class. */
    public boolean mayBeCached(String bucket) {
        return !of(bucket).isFresh();
    }

    /** Returns the times to live, limited as the class demands. */
    public Ttls limited(String bucket, Ttls estimated) {
        int most = of(bucket).maxAgeSeconds();
        return new Ttls(Math.min(estimated.browserSeconds(), most), Math.min(estimated.sharedSeconds(), most));
    }
}
