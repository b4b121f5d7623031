package io.orestes.live;

import io.orestes.model.ObjectRef;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A queue of rights checks with at most one running and one waiting check for each user.
 * Subscriptions with uncertain rights receive no events until their check ends. The number of
 * checks of a user does not grow with the number of writes. At most {@value #MAX_CONCURRENT} checks
 * of all users run at once. Thread-safe.
 */
final class RightsCheckQueue {

    /**
     * Maximum number of concurrent checks. One write may affect all users who are online, and each
     * check reads the store.
     */
    private static final int MAX_CONCURRENT = 64;

    private final Function<Map<Subscription, Set<String>>, Future<?>> check;
    /**
     * Subscriptions that wait for their next check, with the reasons against each. By user, who has
     * an entry also during a check.
     */
    private final Map<ObjectRef, Map<Subscription, Set<String>>> waiting = new HashMap<>();

    private final Queue<ObjectRef> turns = new ArrayDeque<>();
    private int underWay;

    /** @param check checks one user's subscriptions, and confirms or ends each; must not fail */
    RightsCheckQueue(Function<Map<Subscription, Set<String>>, Future<?>> check) {
        this.check = check;
    }

    /**
     * Queues a check of some subscriptions of a user after a write that may affect them.
     *
     * @param doubted the subscriptions, each with the roles that the written object names
     */
    void add(ObjectRef user, Map<Subscription, Set<String>> doubted) {
        enqueue(user, doubted);
        startNext();
    }

    private synchronized void enqueue(ObjectRef user, Map<Subscription, Set<String>> doubted) {
        if (!waiting.containsKey(user)) {
            turns.add(user);
        }
        Map<Subscription, Set<String>> queue = waiting.computeIfAbsent(user, first -> new LinkedHashMap<>());
        doubted.forEach((each, roles) -> {
            if (!queue.containsKey(each)) {
                onHome(each, each::suspend);
            }
            queue.computeIfAbsent(each, first -> new HashSet<>()).addAll(roles);
        });
    }

    private void startNext() {
        for (Optional<UserCheck> turn = next(); turn.isPresent(); turn = next()) {
            ObjectRef user = turn.get().user;
            Future<?> checked = check.apply(turn.get().doubted);
            if (checked.isComplete()) {
                // Ended in this loop, because handlers of completed futures would nest ever deeper.
                end(user);
            } else {
                checked.onComplete(done -> {
                    end(user);
                    startNext();
                });
            }
        }
    }

    private synchronized Optional<UserCheck> next() {
        @Nullable ObjectRef user = underWay < MAX_CONCURRENT ? turns.poll() : null;
        if (user == null) {
            return Optional.empty();
        }
        underWay++;
        return Optional.of(new UserCheck(user, Objects.requireNonNull(waiting.put(user, new LinkedHashMap<>()))));
    }

    private synchronized void end(ObjectRef user) {
        underWay--;
        if (Objects.requireNonNull(waiting.get(user)).isEmpty()) {
            waiting.remove(user);
        } else {
            turns.add(user);
        }
    }

    /** Runs a step in the order of the calls, and of other calls to the subscription. */
    static void onHome(Subscription subscription, Runnable step) {
        subscription.home().runOnContext(ignored -> step.run());
    }

    private record UserCheck(ObjectRef user, Map<Subscription, Set<String>> doubted) {}
}
