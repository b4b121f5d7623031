package io.orestes.auth;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Slows down guessing: after five failures in a row for one user name every further one doubles the time for which
 * log-ins under that name are refused, from one second to 32 seconds. Names that nobody has count too, so that the answer
 * does not tell them from others. Safe for all threads.
 */
final class LoginThrottle {

    private static final int FREE_FAILURES = 5;
    private static final int MAX_DOUBLINGS = 5;
    private static final int MAX_NAMES = 100_000;

    private final InstantSource clock;
    private final Cache<String, Failures> failures = Caffeine.newBuilder()
            .maximumSize(MAX_NAMES)
            .expireAfterWrite(Duration.ofHours(1))
            .build();

    LoginThrottle(InstantSource clock) {
        this.clock = clock;
    }

    /** Fails with {@code TOO_MANY_REQUESTS} while log-ins under the name are refused. */
    void requireOpen(String username) {
        Failures past = failures.getIfPresent(username);
        if (past != null && clock.instant().isBefore(past.closedUntil)) {
            throw new ApiException(
                    ErrorCode.TOO_MANY_REQUESTS, "Too many failed log-ins for this user name; try again in a moment");
        }
    }

    void failed(String username) {
        failures.asMap().merge(username, new Failures(1, Instant.MIN), (past, first) -> next(past.count + 1));
    }

    void succeeded(String username) {
        failures.invalidate(username);
    }

    private Failures next(int count) {
        int excess = count - FREE_FAILURES;
        return new Failures(
                count, excess < 0 ? Instant.MIN : clock.instant().plusSeconds(1L << Math.min(excess, MAX_DOUBLINGS)));
    }

    private record Failures(int count, Instant closedUntil) {}
}
