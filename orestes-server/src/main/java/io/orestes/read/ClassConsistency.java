package io.orestes.read;

import io.orestes.caching.ttl.Ttls;
import io.orestes.model.ReadLevel;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The default consistency of reads for each class, as configured ({@code caching.consistency}). It
 * applies to requests that ask for none themselves.
 *
 * @param byClass only classes for which something else was said than {@link Consistency#BOUNDED}
 */
public record ClassConsistency(Map<String, Consistency> byClass) {

    public static final ClassConsistency NONE = new ClassConsistency(Map.of());

    public ClassConsistency {
        byClass = Map.copyOf(byClass);
    }

    /**
     * Reads {@code News=any,Stock=bounded;max-age=5,Vote=fresh}; empty if that is malformed or
     * names a class twice.
     */
    public static Optional<ClassConsistency> parse(String text) {
        Map<String, Consistency> byClass = new HashMap<>();
        for (String setting : text.isBlank() ? new String[0] : text.split(",", -1)) {
            String[] parts = setting.strip().split("\\s*=\\s*", 2);
            Optional<Consistency> consistency = parts.length < 2 ? Optional.empty() : Consistency.parse(parts[1]);
            if (consistency.isEmpty() || parts[0].isEmpty() || byClass.put(parts[0], consistency.get()) != null) {
                return Optional.empty();
            }
        }
        return Optional.of(new ClassConsistency(byClass));
    }

    Consistency of(String bucket) {
        return byClass.getOrDefault(bucket, Consistency.BOUNDED);
    }

    /** The level of a read of the class: what it demands, and no less than the class does. */
    ReadLevel level(String bucket, ReadLevel demanded) {
        return of(bucket).isFresh() ? ReadLevel.LINEARIZABLE : demanded;
    }

    /** Whether caches may keep what everybody may read of the class. */
    boolean mayBeKept(String bucket) {
        return !of(bucket).isFresh();
    }

    /** The times to live that the class allows. */
    Ttls limited(String bucket, Ttls estimated) {
        int most = of(bucket).maxAgeSeconds();
        return new Ttls(Math.min(estimated.browserSeconds(), most), Math.min(estimated.sharedSeconds(), most));
    }
}
