package io.orestes.live;

import io.orestes.auth.rights.RightsChange;
import io.orestes.auth.token.Authenticator;
import io.orestes.auth.token.Caller;
import io.orestes.auth.token.Session;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A monitor of open subscriptions of logged-in users that ends those whose token or rights are no
 * longer valid. A subscription ends when its token expires or is revoked, and when its user is
 * deleted or deactivated. It also ends when the user's roles differ from those at the beginning in
 * a role that matters to the class. The subscription receives no events during the check.
 * Thread-safe.
 */
final class SubscriptionRightsMonitor {

    private final Vertx vertx;
    private final Authenticator authenticator;
    private final PermissionRoleReferences rules;
    private final InstantSource clock;
    private final Map<Subscription, Long> expiryTimers = new ConcurrentHashMap<>();
    /** Subscriptions by users and by the roles that they had at the beginning. */
    private final PrincipalSubscriptionIndex byIdentity = new PrincipalSubscriptionIndex();
    /**
     * Subscriptions by roles that were granted or revoked since, and that no rule named at the last
     * check.
     */
    private final PrincipalSubscriptionIndex byUnnamedRole = new PrincipalSubscriptionIndex();

    private final RightsCheckQueue checks = new RightsCheckQueue(this::check);

    SubscriptionRightsMonitor(
            Vertx vertx, Authenticator authenticator, PermissionRoleReferences rules, InstantSource clock) {
        this.vertx = vertx;
        this.authenticator = authenticator;
        this.rules = rules;
        this.clock = clock;
    }

    /**
     * Monitors a subscription until {@link #unwatch}; anonymous ones need no monitoring. To be
     * called on its context. Fails if the rights were revoked between the request and now.
     */
    Future<Void> watch(Subscription subscription) {
        return subscription
                .caller()
                .session()
                .map(session -> watch(subscription, session))
                .orElse(Future.succeededFuture());
    }

    /** Enters the subscription before it reads the rights, so that it misses no write to them. */
    private Future<Void> watch(Subscription subscription, Session session) {
        long millis = Math.max(1, session.expires().toEpochMilli() - clock.millis());
        expiryTimers.put(subscription, vertx.setTimer(millis, timer -> subscription.sendError(expired())));
        byIdentity.register(subscription, subscription.caller().principal().identities());
        byUnnamedRole.register(subscription, Set.of());
        return authenticator
                .caller(session)
                .compose(now -> recordRolesAndCheck(subscription, RightsDifference.of(subscription, now)))
                .compose(mayGoOn -> mayGoOn ? Future.succeededFuture() : Future.failedFuture(changed()));
    }

    /**
     * Records changed roles, then checks the rights at the beginning. A check of a later write may
     * have come first.
     */
    private Future<Boolean> recordRolesAndCheck(Subscription subscription, RightsDifference change) {
        byUnnamedRole.add(subscription, change.roles);
        return mayContinue(change);
    }

    void unwatch(Subscription subscription) {
        byIdentity.unregister(subscription);
        byUnnamedRole.unregister(subscription);
        Long timer = expiryTimers.remove(subscription);
        if (timer != null) {
            boolean unused = vertx.cancelTimer(timer);
        }
    }

    /** Checks the subscriptions that a write of a user or a role affects; any thread. */
    void onRightsChange(RightsChange change) {
        Set<Subscription> concerned = byIdentity.find(change.ids()).keySet();
        if (change.isOfRole()) {
            concerned.removeIf(each -> isAsBefore(each, change));
            concerned.forEach(each -> recordRoleChange(each, change.written().id()));
        }
        suspendAndCheck(concerned.stream().collect(Collectors.toMap(each -> each, each -> Set.of())));
    }

    /**
     * Enters the role at once, because an object that names the role may be written before the
     * check of the role.
     */
    private void recordRoleChange(Subscription subscription, String role) {
        if (!subscription.caller().principal().isAdmin()) {
            byUnnamedRole.add(subscription, Set.of(role));
        }
    }

    private static boolean isAsBefore(Subscription subscription, RightsChange role) {
        return hadRole(subscription, role.written())
                == role.members().contains(user(subscription).id());
    }

    /**
     * Checks the subscriptions that a written object affects; any thread. Its rules may be the
     * first to name a granted or revoked role.
     */
    void onRulesWritten(StoredObject object) {
        if (!byUnnamedRole.isEmpty()) {
            Map<Subscription, Set<String>> concerned = byUnnamedRole.find(PermissionRoleReferences.namedBy(object));
            concerned.keySet().removeIf(each -> !each.bucket()
                    .equals(object.ref().bucket()));
            suspendAndCheck(concerned);
        }
    }

    private void suspendAndCheck(Map<Subscription, Set<String>> concerned) {
        Map<ObjectRef, Map<Subscription, Set<String>>> byUser = new HashMap<>();
        concerned.forEach((each, named) ->
                byUser.computeIfAbsent(user(each), first -> new HashMap<>()).put(each, named));
        byUser.forEach(checks::add);
    }

    /** Checks subscriptions of one user, who may have several sessions. */
    private Future<?> check(Map<Subscription, Set<String>> doubted) {
        long asOf = byUnnamedRole.moment();
        Map<Session, List<Subscription>> bySession =
                doubted.keySet().stream().collect(Collectors.groupingBy(SubscriptionRightsMonitor::session));
        List<Future<?>> decisions = new ArrayList<>();
        bySession.forEach((session, theirs) ->
                decisions.add(authenticator.caller(session).transform(now -> decide(theirs, now, doubted, asOf))));
        return Future.join(decisions).otherwiseEmpty();
    }

    private Future<?> decide(
            List<Subscription> theirs, AsyncResult<Caller> now, Map<Subscription, Set<String>> doubted, long asOf) {
        if (now.failed()) {
            end(theirs, ApiException.of(now.cause()));
            return Future.succeededFuture();
        }
        Map<RightsDifference, List<Subscription>> byChange = new HashMap<>();
        for (Subscription each : theirs) {
            RightsDifference change = RightsDifference.of(each, now.result());
            byUnnamedRole.retainIds(each, change.roles, asOf);
            if (Collections.disjoint(change.roles, doubted.getOrDefault(each, Set.of()))) {
                byChange.computeIfAbsent(change, first -> new ArrayList<>()).add(each);
            } else {
                // The object may be deleted by now, but its event is delayed.
                end(List.of(each), changed());
            }
        }
        return Future.join(byChange.entrySet().stream()
                .map(each -> decide(each.getKey(), each.getValue()))
                .toList());
    }

    private Future<?> decide(RightsDifference change, List<Subscription> theirs) {
        return mayContinue(change)
                .onFailure(failure -> end(theirs, ApiException.of(failure)))
                .onSuccess(mayGoOn -> {
                    if (mayGoOn) {
                        theirs.forEach(each -> RightsCheckQueue.onHome(each, each::resume));
                    } else {
                        end(theirs, changed());
                    }
                });
    }

    /**
     * Returns whether the change is irrelevant. The roles must be in the index before, so that no
     * write of an object that begins to name them is missed.
     */
    private Future<Boolean> mayContinue(RightsDifference change) {
        if (change.roles.isEmpty() || change.ofAdmin) {
            return Future.succeededFuture(!change.ofAdmin);
        }
        return rules.isReferenced(change.bucket, change.roles).map(named -> !named);
    }

    private static void end(Collection<Subscription> subscriptions, ApiException reason) {
        subscriptions.forEach(each -> RightsCheckQueue.onHome(each, () -> each.sendError(reason)));
    }

    private static boolean hadRole(Subscription subscription, ObjectRef role) {
        return subscription.caller().principal().identities().contains(role.id());
    }

    private static ObjectRef user(Subscription subscription) {
        return session(subscription).user();
    }

    private static Session session(Subscription subscription) {
        return subscription.caller().session().orElseThrow();
    }

    private static ApiException expired() {
        return new ApiException(ErrorCode.BAD_CREDENTIALS, "The token of this subscription has expired");
    }

    private static ApiException changed() {
        return new ApiException(ErrorCode.PERMISSION_DENIED, "The subscriber's roles have changed; subscribe again");
    }

    /**
     * The difference of a subscriber's rights from those at the beginning.
     *
     * @param bucket the class that it watches
     * @param ofAdmin whether the subscriber became an admin, or is none any more
     * @param roles granted or revoked roles that rules can name; none for admins, who may do
     *     everything anyway
     */
    private record RightsDifference(String bucket, boolean ofAdmin, Set<String> roles) {

        private static RightsDifference of(Subscription subscription, Caller now) {
            Principal then = subscription.caller().principal();
            Principal current = now.principal();
            boolean staysAdmin = then.isAdmin() && current.isAdmin();
            return new RightsDifference(
                    subscription.bucket(),
                    then.isAdmin() != current.isAdmin(),
                    staysAdmin ? Set.of() : difference(then.identities(), current.identities()));
        }

        private static Set<String> difference(Set<String> some, Set<String> others) {
            return Stream.concat(
                            some.stream().filter(id -> !others.contains(id)),
                            others.stream().filter(id -> !some.contains(id)))
                    .collect(Collectors.toUnmodifiableSet());
        }
    }
}
