package io.orestes.live;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * An index of open subscriptions by the ids of the users and roles that affect them. Thread-safe.
 */
final class PrincipalSubscriptionIndex {

    /** Logical time of the entry of each id. */
    private final Map<Subscription, Map<String, Long>> entries = new HashMap<>();

    private final Map<String, Set<Subscription>> byId = new HashMap<>();
    private long moment;

    /** Enters a subscription under these ids. */
    synchronized void register(Subscription subscription, Set<String> ids) {
        entries.put(subscription, new HashMap<>());
        add(subscription, ids);
    }

    /** Adds ids to a subscription, unless it has left. */
    synchronized void add(Subscription subscription, Set<String> ids) {
        Map<String, Long> known = entries.get(subscription);
        if (known != null) {
            moment++;
            ids.forEach(id -> {
                known.put(id, moment);
                byId.computeIfAbsent(id, first -> new HashSet<>()).add(subscription);
            });
        }
    }

    /** Returns the logical time; later entries have later times. */
    synchronized long moment() {
        return moment;
    }

    /**
     * Retains these ids of a subscription, and those entered after {@code asOf}, and removes all
     * others.
     */
    synchronized void retainIds(Subscription subscription, Set<String> ids, long asOf) {
        Map<String, Long> known = entries.getOrDefault(subscription, new HashMap<>());
        Set<String> outdated = new HashSet<>();
        known.forEach((id, entered) -> {
            if (entered <= asOf && !ids.contains(id)) {
                outdated.add(id);
            }
        });
        outdated.forEach(id -> remove(id, subscription));
        known.keySet().removeAll(outdated);
        add(subscription, ids);
    }

    synchronized void unregister(Subscription subscription) {
        Map<String, Long> known = entries.remove(subscription);
        if (known != null) {
            known.keySet().forEach(id -> remove(id, subscription));
        }
    }

    /** Returns the subscriptions under any of these ids, each with the ids that it has. */
    synchronized Map<Subscription, Set<String>> find(Collection<String> ids) {
        Map<Subscription, Set<String>> found = new HashMap<>();
        ids.forEach(id -> byId.getOrDefault(id, Set.of())
                .forEach(subscription -> found.computeIfAbsent(subscription, first -> new HashSet<>())
                        .add(id)));
        return found;
    }

    /** Returns whether no subscription has any id. */
    synchronized boolean isEmpty() {
        return byId.isEmpty();
    }

    private void remove(String id, Subscription subscription) {
        byId.computeIfPresent(id, (same, subscriptions) -> {
            subscriptions.remove(subscription);
            return subscriptions.isEmpty() ? null : subscriptions;
        });
    }
}
