package io.orestes.auth.limit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * The throttle of password guesses by name, by network and by account, with exponential back-off.
 * After some failures in a row, each further failure doubles the time for which log-ins are
 * refused, up to a bound. Failures are counted for one user name from one network, for a network
 * whatever the names, and for a name whatever the network. The last count bounds guesses from many
 * networks. It does not apply to networks where a user of that name has logged in lately, and it
 * ends no session. So an attacker can lock the owner of a name out of new networks only. A guess
 * counts before it is checked: at most as many run concurrently as could fail before the next
 * refusal, and others wait for their outcome. Unknown names count too, so that the response does
 * not reveal whether a name exists. The loopback network counts only if it is limited at all:
 * behind an untrusted proxy it stands for all clients. Safe for all threads.
 */
public final class LoginThrottle {

    private static final int MAX_WAITING = 128;

    private static final int MAX_KNOWN = 100_000;

    /**
     * Time for which a network of a user name stays known: the lifetime of a session without
     * activity, so that a returning user is on a known network.
     */
    private static final Duration KNOWN_NETWORK_TTL = Duration.ofDays(30);

    private final RateLimitConfig limits;
    private final GuessCounter<Attempt> byName;
    private final GuessCounter<ClientNetwork> byNetwork;
    private final GuessCounter<String> byAccount;

    /** Networks from which a user name has logged in. */
    private final Cache<Attempt, Boolean> known;

    private final Queue<QueuedGuess> waiting = new ArrayDeque<>();

    /**
     * @param limits whether the throttle is on, whether it applies to loopback, and its thresholds
     */
    public LoginThrottle(InstantSource clock, RateLimitConfig limits) {
        this.limits = limits;
        LoginThrottleConfig logins = limits.logins();
        this.byName = new GuessCounter<>(clock, logins.failures(), logins.longestPause(), logins.window());
        this.byNetwork =
                new GuessCounter<>(clock, logins.addressFailures(), logins.longestPause(), logins.sharedWindow());
        this.byAccount =
                new GuessCounter<>(clock, logins.accountFailures(), logins.longestPause(), logins.sharedWindow());
        this.known = Caffeine.newBuilder()
                .maximumSize(MAX_KNOWN)
                .expireAfterWrite(KNOWN_NETWORK_TTL)
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()))
                .build();
    }

    private record Attempt(String username, ClientNetwork network) {}

    private record QueuedGuess(Guess guess, Promise<Guess> turn, Executor home) {}

    /**
     * Admits a guess, which counts as running until {@link Guess#complete}. Fails with {@code
     * TOO_MANY_REQUESTS} while log-ins under the name, or all, from that network are refused, and
     * if too many wait. The future of a waiting guess completes on {@code home}.
     */
    public Future<Guess> admit(String username, ClientNetwork network, Executor home) {
        Guess guess = new Guess(new Attempt(username, network));
        if (!limits.on()) {
            return Future.succeededFuture(guess);
        }
        synchronized (waiting) {
            return guess.admitted().orElseGet(() -> await(guess, home));
        }
    }

    private Future<Guess> await(Guess guess, Executor home) {
        if (waiting.size() >= MAX_WAITING) {
            return refused("Too many log-ins at once; try again in a moment", Duration.ofSeconds(1));
        }
        Promise<Guess> turn = Promise.promise();
        waiting.add(new QueuedGuess(guess, turn, home));
        return turn.future();
    }

    private static Future<Guess> refused(String message, Duration pause) {
        return Future.failedFuture(new ApiException(ErrorCode.TOO_MANY_REQUESTS, message).withRetryAfter(pause));
    }

    /** Returns the completions of guesses that are now admitted or refused, in order of arrival. */
    private List<Runnable> next() {
        List<Runnable> completions = new ArrayList<>();
        for (Iterator<QueuedGuess> all = waiting.iterator(); all.hasNext(); ) {
            QueuedGuess one = all.next();
            one.guess.admitted().ifPresent(turn -> {
                all.remove();
                completions.add(() -> one.home.execute(() -> turn.onComplete(one.turn)));
            });
        }
        return completions;
    }

    /** One guess at a password. */
    public final class Guess {

        private final Attempt attempt;
        private boolean countsAccount;

        private Guess(Attempt attempt) {
            this.attempt = attempt;
        }

        /** Returns whether the guess is admitted; empty while that depends on running guesses. */
        private Optional<Future<Guess>> admitted() {
            countsAccount = known.getIfPresent(attempt) == null;
            Duration closed = closedFor();
            if (!closed.isZero()) {
                return Optional.of(
                        refused("Too many failed log-ins for this user name; try again in a moment", closed));
            }
            if (!hasRoom()) {
                return Optional.empty();
            }
            byName.startGuess(attempt);
            byNetwork.startGuess(attempt.network);
            if (countsAccount) {
                byAccount.startGuess(attempt.username);
            }
            return Optional.of(Future.succeededFuture(this));
        }

        private Duration closedFor() {
            Duration account = countsAccount ? byAccount.closedFor(attempt.username) : Duration.ZERO;
            return Collections.max(List.of(byName.closedFor(attempt), byNetwork.closedFor(attempt.network), account));
        }

        private boolean hasRoom() {
            return byName.mayStart(attempt)
                    && (!countsNetwork() || byNetwork.mayStart(attempt.network))
                    && (!countsAccount || byAccount.mayStart(attempt.username));
        }

        /**
         * Records the outcome; to be called once. The failures of the network remain, since the
         * owner of one account may still guess others. So do those of the account, since other
         * clients may still guess it.
         *
         * @param matches whether the password was right; a failure if the check failed
         */
        public void complete(AsyncResult<Boolean> matches) {
            if (limits.on()) {
                List<Runnable> completions;
                synchronized (waiting) {
                    recordOutcome(matches);
                    completions = next();
                }
                completions.forEach(Runnable::run);
            }
        }

        private void recordOutcome(AsyncResult<Boolean> matches) {
            byName.endGuess(attempt);
            byNetwork.endGuess(attempt.network);
            if (countsAccount) {
                byAccount.endGuess(attempt.username);
            }
            if (matches.succeeded() && matches.result()) {
                byName.reset(attempt);
                known.put(attempt, true);
            } else if (matches.succeeded()) {
                fail();
            }
        }

        private void fail() {
            byName.fail(attempt);
            if (countsNetwork()) {
                byNetwork.fail(attempt.network);
            }
            if (countsAccount) {
                byAccount.fail(attempt.username);
            }
        }

        private boolean countsNetwork() {
            return limits.loopback() || !attempt.network.isLoopback();
        }
    }
}
