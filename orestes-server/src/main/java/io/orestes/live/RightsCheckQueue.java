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
 * Subscriptions whose rights are in doubt receive no events until their check ends. The number of
 * checks of a user does not grow with the number of writes. At most {@value #MOST_AT_ONCE} checks
 * of all users run at once. Thread-safe.
 */
final class RightsCheckQueue {

    /** One write may concern all users who are online, and each check reads the store. */
    private static final int MOST_AT_ONCE = 64;

    private final Function<Map<Subscription, Set<String>>, Future<?>> check;
    /**
     * Those who wait for their next check, with what speaks against each subscription; by user, who
     * has a place also while being checked.
     */
    private final Map<ObjectRef, Map<Subscription, Set<String>>> waiting = new HashMap<>();

    private final Queue<ObjectRef> turns = new ArrayDeque<>();
    private int underWay;

    /**
     * @param check of one user's subscriptions: trusts each or ends it, some time; must not fail
     */
    RightsCheckQueue(Function<Map<Subscription, Set<String>>, Future<?>> check) {
        this.check = check;
    }

    /**
     * Something was written, just now, that may mean something to these subscriptions of a user.
     *
     * @param doubted with the roles that an object names which was written
     */
    void add(ObjectRef user, Map<Subscription, Set<String>> doubted) {
        enqueue(user, doubted);
        goOn();
    }

    private synchronized void enqueue(ObjectRef user, Map<Subscription, Set<String>> doubted) {
        if (!waiting.containsKey(user)) {
            turns.add(user);
        }
        Map<Subscription, Set<String>> queue = waiting.computeIfAbsent(user, first -> new LinkedHashMap<>());
        doubted.forEach((each, roles) -> {
            if (!queue.containsKey(each)) {
                onHome(each, each::doubt);
            }
            queue.computeIfAbsent(each, first -> new HashSet<>()).addAll(roles);
        });
    }

    private void goOn() {
        for (Optional<Turn> turn = next(); turn.isPresent(); turn = next()) {
            ObjectRef user = turn.get().user;
            Future<?> checked = check.apply(turn.get().doubted);
            if (checked.isComplete()) {
                // from within its handler, one after the other would go deeper and deeper
                end(user);
            } else {
                checked.onComplete(done -> {
                    end(user);
                    goOn();
                });
            }
        }
    }

    private synchronized Optional<Turn> next() {
        @Nullable ObjectRef user = underWay < MOST_AT_ONCE ? turns.poll() : null;
        if (user == null) {
            return Optional.empty();
        }
        underWay++;
        return Optional.of(new Turn(user, Objects.requireNonNull(waiting.put(user, new LinkedHashMap<>()))));
    }

    private synchronized void end(ObjectRef user) {
        underWay--;
        if (Objects.requireNonNull(waiting.get(user)).isEmpty()) {
            waiting.remove(user);
        } else {
            turns.add(user);
        }
    }

    /** In the order of the calls, and of whatever else the subscription is told. */
    static void onHome(Subscription subscription, Runnable step) {
        subscription.home().runOnContext(ignored -> step.run());
    }

    private record Turn(ObjectRef user, Map<Subscription, Set<String>> doubted) {}
}
