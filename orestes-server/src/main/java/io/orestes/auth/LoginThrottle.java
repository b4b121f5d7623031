package io.orestes.auth;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/**
 * Slows down guessing: after some failures in a row every further one doubles the time for which log-ins are refused, from
 * one second to 32 seconds. Five failures are free for one user name from one network, and fifty for a network whatever the
 * names; so nobody can keep the owner of a name, who is elsewhere, from logging in. Names that nobody has count too,
 * so that the answer does not tell them from others. This machine counts as a network only if it is limited at all: behind a
 * proxy that is not trusted it is everybody's. Safe for all threads.
 */
final class LoginThrottle {

    private static final int MAX_DOUBLINGS = 5;
    private static final int MAX_ENTRIES = 100_000;

    /** Who waits so long for five new guesses has fewer than who goes on at one in 32 seconds. */
    private static final Duration NAMES_FORGOTTEN = Duration.ofMinutes(5);

    private static final Duration NETWORKS_FORGOTTEN = Duration.ofHours(1);

    private final InstantSource clock;
    private final RateLimits limits;
    private final Counter<Attempt> byName;
    private final Counter<ClientNetwork> byNetwork;

    /** @param limits whether anybody is slowed down at all, and whether this machine is */
    LoginThrottle(InstantSource clock, RateLimits limits) {
        this.clock = clock;
        this.limits = limits;
        this.byName = new Counter<>(5, NAMES_FORGOTTEN);
        this.byNetwork = new Counter<>(50, NETWORKS_FORGOTTEN);
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
        if (limits.on()) {
            byName.failed(new Attempt(username, network));
        }
        if (limits.on() && (limits.loopback() || !network.isLoopback())) {
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
        private final Cache<K, Failures> failures;

        private Counter(int free, Duration forgotten) {
            this.free = free;
            this.failures = Caffeine.newBuilder()
                    .maximumSize(MAX_ENTRIES)
                    .expireAfterWrite(forgotten)
                    .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()))
                    .build();
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
