package io.orestes.auth;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Slows down guessing: after some failures in a row every further one doubles the time for which log-ins are refused, from
 * one second to 32 seconds. Five failures are free for one user name from one network, and fifty for a network whatever the
 * names; so nobody can keep the owner of a name, who is elsewhere, from logging in. Names that nobody has count too,
 * so that the answer does not tell them from others. Safe for all threads.
 */
final class LoginThrottle {

    private static final int MAX_DOUBLINGS = 5;
    private static final int MAX_ENTRIES = 100_000;

    private final InstantSource clock;
    private final boolean on;
    private final Counter<Attempt> byName = new Counter<>(5);
    private final Counter<ClientNetwork> byNetwork = new Counter<>(50);

    /** @param on whether anybody is slowed down at all */
    LoginThrottle(InstantSource clock, boolean on) {
        this.clock = clock;
        this.on = on;
    }

    /** Fails with {@code TOO_MANY_REQUESTS} while log-ins under the name, or all, from that network are refused. */
    void requireOpen(String username, ClientNetwork network) {
        Duration name = byName.closedFor(new Attempt(username, network));
        Duration all = byNetwork.closedFor(network);
        Duration longer = name.compareTo(all) > 0 ? name : all;
        if (!longer.isZero()) {
            throw new ApiException(
                            ErrorCode.TOO_MANY_REQUESTS,
                            "Too many failed log-ins for this user name; try again in a moment")
                    .after(longer);
        }
    }

    void failed(String username, ClientNetwork network) {
        if (on) {
            byName.failed(new Attempt(username, network));
            byNetwork.failed(network);
        }
    }

    /** Whoever owns one account may still be guessing others: the network's failures stay. */
    void succeeded(String username, ClientNetwork network) {
        byName.forget(new Attempt(username, network));
    }

    private record Attempt(String username, ClientNetwork network) {}

    private record Failures(int count, Instant closedUntil) {}

    /** Failures in a row by whatever they are counted by. */
    private final class Counter<K> {

        private final int free;
        private final Cache<K, Failures> failures = Caffeine.newBuilder()
                .maximumSize(MAX_ENTRIES)
                .expireAfterWrite(Duration.ofHours(1))
                .build();

        private Counter(int free) {
            this.free = free;
        }

        private Duration closedFor(K key) {
            Failures past = failures.getIfPresent(key);
            Instant now = clock.instant();
            return past != null && now.isBefore(past.closedUntil)
                    ? Duration.between(now, past.closedUntil)
                    : Duration.ZERO;
        }

        private void failed(K key) {
            failures.asMap().merge(key, new Failures(1, Instant.MIN), (past, first) -> next(past.count + 1));
        }

        private void forget(K key) {
            failures.invalidate(key);
        }

        private Failures next(int count) {
            int excess = count - free;
            return new Failures(
                    count,
                    excess < 0 ? Instant.MIN : clock.instant().plusSeconds(1L << Math.min(excess, MAX_DOUBLINGS)));
        }
    }
}
