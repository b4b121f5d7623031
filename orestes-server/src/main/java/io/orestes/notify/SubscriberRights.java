package io.orestes.notify;

import io.orestes.auth.Authenticator;
import io.orestes.auth.Caller;
import io.orestes.auth.Session;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The open subscriptions of logged-in users. Ends one when its token expires or is revoked, and when its user is deleted, deactivated
 * or has other roles than at the beginning; while that is being found out, nothing is told. Thread-safe.
 */
final class SubscriberRights {

    private final Vertx vertx;
    private final Authenticator authenticator;
    private final InstantSource clock;
    private final Map<Subscription, Long> expiryTimers = new ConcurrentHashMap<>();

    SubscriberRights(Vertx vertx, Authenticator authenticator, InstantSource clock) {
        this.vertx = vertx;
        this.authenticator = authenticator;
        this.clock = clock;
    }

    /**
     * Looks after a subscription until it is forgotten; anonymous ones need nobody to. To be called on its context. Fails if
     * the rights went between the request and now.
     */
    Future<Void> watch(Subscription subscription) {
        return subscription
                .caller()
                .session()
                .map(session -> watch(subscription, session))
                .orElse(Future.succeededFuture());
    }

    /** Entered before the rights are looked at: from then on no write to them is missed. */
    private Future<Void> watch(Subscription subscription, Session session) {
        long millis = Math.max(1, session.expires().toEpochMilli() - clock.millis());
        expiryTimers.put(subscription, vertx.setTimer(millis, timer -> subscription.sendError(expired())));
        return authenticator
                .caller(session)
                .compose(now -> isStill(subscription.caller(), now)
                        ? Future.succeededFuture()
                        : Future.failedFuture(changed()));
    }

    void forget(Subscription subscription) {
        Long timer = expiryTimers.remove(subscription);
        if (timer != null) {
            boolean unused = vertx.cancelTimer(timer);
        }
    }

    /** Somebody wrote a user or a role; any thread. */
    void written(ObjectRef userOrRole) {
        if (Authenticator.isRole(userOrRole)) {
            roleWritten(userOrRole);
        } else {
            check(doubted(expiryTimers.keySet().stream()
                    .filter(each -> user(each).equals(userOrRole))
                    .toList()));
        }
    }

    /** One look at the role spares a look at the users that it means nothing to. */
    private void roleWritten(ObjectRef role) {
        List<Subscription> all = doubted(List.copyOf(expiryTimers.keySet()));
        if (!all.isEmpty()) {
            authenticator
                    .members(role)
                    .onSuccess(members -> roleFound(role, members, all))
                    .onFailure(unknown -> check(all));
        }
    }

    private void roleFound(ObjectRef role, Set<String> members, List<Subscription> all) {
        Map<Boolean, List<Subscription>> byChange = all.stream()
                .collect(Collectors.partitioningBy(each ->
                        hadRole(each, role) != members.contains(user(each).id())));
        byChange.getOrDefault(false, List.of()).forEach(each -> onHome(each, each::trust));
        check(byChange.getOrDefault(true, List.of()));
    }

    private static List<Subscription> doubted(List<Subscription> subscriptions) {
        subscriptions.forEach(each -> onHome(each, each::doubt));
        return subscriptions;
    }

    /** Sessions with many subscriptions are looked up once. */
    private void check(Collection<Subscription> doubted) {
        doubted.stream()
                .collect(Collectors.groupingBy(SubscriberRights::session))
                .forEach((session, theirs) -> authenticator
                        .caller(session)
                        .onComplete(now -> theirs.forEach(each -> onHome(each, () -> decide(each, now)))));
    }

    private static void decide(Subscription subscription, AsyncResult<Caller> now) {
        if (now.failed()) {
            subscription.sendError(ApiException.of(now.cause()));
        } else if (isStill(subscription.caller(), now.result())) {
            subscription.trust();
        } else {
            subscription.sendError(changed());
        }
    }

    private static void onHome(Subscription subscription, Runnable step) {
        subscription.home().runOnContext(ignored -> step.run());
    }

    /** A new role may take rights as well as give some: objects can be denied to it. */
    private static boolean isStill(Caller then, Caller now) {
        return then.principal().equals(now.principal());
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
}
