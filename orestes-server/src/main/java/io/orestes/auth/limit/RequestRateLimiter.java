package io.orestes.auth.limit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Principal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * The rate limiter of requests and registrations by client network, in fixed windows (protocol
 * §17.5). Each window begins with a first request. A network that exceeds the limit of requests
 * within a window is refused for a while. Registrations are counted separately and lead to no ban.
 * The counts are local to this process and cover a bounded number of networks. Safe for all
 * threads, fast enough for every request.
 */
public final class RequestRateLimiter {

    private static final int MAX_NETWORKS = 100_000;

    /** Prefix of nearly all loopback addresses, which avoids parsing them. */
    private static final String LOOPBACK = "127.";

    private final RateLimitConfig limits;
    private final InstantSource clock;
    private final Cache<ClientNetwork, Window> requests;
    private final Cache<ClientNetwork, Window> registrations;

    public RequestRateLimiter(RateLimitConfig limits, InstantSource clock) {
        this.limits = limits;
        this.clock = clock;
        this.requests = networks();
        this.registrations = networks();
    }

    private static Cache<ClientNetwork, Window> networks() {
        return Caffeine.newBuilder().maximumSize(MAX_NETWORKS).build();
    }

    /** Returns whether requests are counted at all. */
    public boolean isEnabled() {
        return limits.on();
    }

    /** Counts a request and returns whether its network is admitted. */
    public boolean admits(String address) {
        if (!limits.on() || (!limits.loopback() && address.startsWith(LOOPBACK))) {
            return true;
        }
        ClientNetwork network = ClientNetwork.of(address);
        return isFree(network) || window(requests, network).admits(limits.requests(), limits.ban());
    }

    /** Refunds a request of a caller to whom no limit applies. */
    public void refund(String address) {
        Window window = requests.getIfPresent(ClientNetwork.of(address));
        if (window != null) {
            window.forgive();
        }
    }

    /** Returns the time for which the network of an address is refused; zero if it is not. */
    public Duration bannedFor(String address) {
        Window window = requests.getIfPresent(ClientNetwork.of(address));
        return window == null ? Duration.ZERO : window.closedFor();
    }

    /** Counts a registration; fails with {@code TOO_MANY_REQUESTS} if its network had too many. */
    public void requireRegistration(String address) {
        ClientNetwork network = ClientNetwork.of(address);
        if (!isFree(network)) {
            Window window = window(registrations, network);
            if (!window.admits(limits.registrations(), Duration.ZERO)) {
                throw new ApiException(ErrorCode.TOO_MANY_REQUESTS, "Too many registrations from this address")
                        .withRetryAfter(window.rest());
            }
        }
    }

    /**
     * Returns the key of limits per caller: the user, or the network of an anonymous caller. Empty
     * for a caller to whom no limit applies.
     */
    public Optional<String> countingKey(Principal principal, String address) {
        if (!limits.on() || principal.isAdmin()) {
            return Optional.empty();
        }
        ClientNetwork network = ClientNetwork.of(address);
        return principal.user().or(() -> isFree(network) ? Optional.empty() : Optional.of(network.text()));
    }

    /** Resets the counts of the network of an address. */
    public void unban(String address) {
        requests.invalidate(ClientNetwork.of(address));
    }

    /** Resets the counts of all networks. */
    public void unbanAll() {
        requests.invalidateAll();
    }

    private boolean isFree(ClientNetwork network) {
        return !limits.on() || (!limits.loopback() && network.isLoopback());
    }

    private Window window(Cache<ClientNetwork, Window> windows, ClientNetwork network) {
        return windows.get(network, first -> new Window());
    }

    /** The counts of one network in its current window. */
    private final class Window {

        private long begin = clock.millis();
        private long closedUntil = Long.MIN_VALUE;
        private int count;

        private synchronized boolean admits(int free, Duration ban) {
            long now = clock.millis();
            if (now < closedUntil) {
                return false;
            }
            if (now - begin >= limits.window().toMillis()) {
                begin = now;
                count = 0;
            }
            if (count < free) {
                count++;
                return true;
            }
            close(now, ban);
            return false;
        }

        /** Closes a window in which the network was banned; it ends with the ban. */
        private void close(long now, Duration ban) {
            if (!ban.isZero()) {
                closedUntil = now + ban.toMillis();
                begin = closedUntil;
                count = 0;
            }
        }

        private synchronized void forgive() {
            count = Math.max(0, count - 1);
        }

        private synchronized Duration closedFor() {
            return Duration.ofMillis(Math.max(0, closedUntil - Math.min(clock.millis(), closedUntil)));
        }

        private synchronized Duration rest() {
            return Duration.ofMillis(Math.max(1, begin + limits.window().toMillis() - clock.millis()));
        }
    }
}
