package io.orestes.live;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.Await.awaitThat;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.auth.token.Caller;
import io.orestes.auth.token.Session;
import io.orestes.auth.token.TokenService;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A subscription lasts as long as the rights with which it was opened. */
final class SubscriptionRightsMonitorTest {

    private static final ObjectRef ANN = new ObjectRef("User", "ann");
    private static final ObjectRef BOB = new ObjectRef("User", "bob");
    private static final ObjectRef TEAM = new ObjectRef("Role", "team");
    private static final ObjectRef JUNK = new ObjectRef("Role", "junk");
    private static final ObjectRef ADMIN = new ObjectRef("Role", "1");
    private static final String WITH_ANN = "{users: ['/db/User/ann']}";
    private static final String WITH_BOTH = "{users: ['/db/User/ann', '/db/User/bob']}";

    private final TokenService tokens = new TokenService(new byte[32], Duration.ofDays(1), InstantSource.system());
    private final LiveQueryFixture scene;

    SubscriptionRightsMonitorTest(@TempDir Path folder) {
        scene = new LiveQueryFixture(folder, tokens);
        scene.write(ANN, "{username: 'ann'}");
        scene.write(BOB, "{username: 'bob'}");
        scene.write(TEAM, WITH_BOTH);
        // visible to none of the users
        scene.write("ruled", readRules("'/db/Role/none': 'allow', '/db/Role/team': 'deny'"));
    }

    private static BsonDocument readRules(String rules) {
        return BsonDocument.parse("{acl: {read: {" + rules + "}, write: {}}}");
    }

    @AfterEach
    void tearDown() {
        scene.close();
    }

    @Test
    void token_expires_endsTheSubscriptionAndThatOneOnly() {
        TokenService shortLived = new TokenService(new byte[32], Duration.ofSeconds(2), InstantSource.system());
        RecordingSubscriber passing = new RecordingSubscriber();
        RecordingSubscriber lasting = new RecordingSubscriber();
        String token = shortLived.issue(ANN);
        Instant expiry = shortLived.verify(token).orElseThrow().expires();
        awaitAll(List.of(scene.open(caller(token), passing), scene.open(caller(tokens.issue(ANN)), lasting)));

        assertThat(passing.await(2)).containsExactly("result", "error 460");
        assertThat(Instant.now()).isAfterOrEqualTo(expiry);
        scene.write("a");

        assertThat(lasting.await(2)).containsExactly("result", "add a");
        assertThat(passing.messages()).hasSize(2);
    }

    @Test
    void token_expiredBetweenRequestAndSubscription_isNoticedAtOnce() {
        Caller caller = caller(tokens.issue(ANN));
        Caller expired = new Caller(
                caller.principal(),
                caller.session()
                        .map(session -> new Session(
                                session.user(),
                                session.created(),
                                session.created(),
                                session.fingerprint(),
                                session.kind(),
                                session.onlyRole()))
                        .orElseThrow());
        RecordingSubscriber subscriber = new RecordingSubscriber();

        awaitAll(List.of(scene.open(expired, subscriber)));

        awaitThat(() -> subscriber.messages().contains("error 460"));
    }

    @Test
    void user_deactivated_endsItsSubscriptionsOnly() {
        RecordingSubscriber anns = opened(ANN);
        RecordingSubscriber bobs = opened(BOB);

        scene.write(ANN, "{username: 'ann', inactive: true}");
        scene.write("a");

        assertThat(bobs.await(2)).containsExactly("result", "add a");
        assertThat(anns.await(2)).containsExactly("result", "error 460");
    }

    @Test
    void user_deleted_endsItsSubscriptions() {
        RecordingSubscriber anns = opened(ANN);

        scene.delete(ANN);

        assertThat(anns.await(2)).containsExactly("result", "error 460");
    }

    @Test
    void user_writtenWithoutLosingRights_goesOn() {
        RecordingSubscriber anns = opened(ANN);

        scene.write(ANN, "{username: 'ann', colour: 'blue'}");
        scene.write("a");

        assertThat(anns.await(2)).containsExactly("result", "add a");
    }

    /** A write after the loss of the role must not reach the subscriber, however soon it comes. */
    @Test
    void role_lost_endsTheSubscriptionBeforeAnotherEventAndTheOthersMissNone() {
        for (int round = 0; round < 20; round++) {
            scene.write(TEAM, WITH_BOTH);
            RecordingSubscriber anns = opened(ANN);
            RecordingSubscriber bobs = opened(BOB);

            scene.write(TEAM, WITH_ANN);
            scene.write("a" + round);
            scene.write("b" + round);

            assertThat(bobs.await(2)).hasSize(2).last().isEqualTo("error 466");
            assertThat(anns.await(3).subList(1, 3)).containsExactly("add a" + round, "add b" + round);
        }
    }

    @Test
    void role_deletedOrGained_endsTheSubscription() {
        RecordingSubscriber anns = opened(ANN);
        scene.delete(TEAM);
        assertThat(anns.await(2)).containsExactly("result", "error 466");

        RecordingSubscriber again = opened(ANN);
        scene.write(TEAM, WITH_ANN);
        assertThat(again.await(2)).containsExactly("result", "error 466");
    }

    @Test
    void role_thatNoRuleNames_comesAndGoesUnnoticed() {
        RecordingSubscriber anns = opened(ANN);

        scene.write(JUNK, WITH_ANN);
        scene.write("a");
        scene.delete(JUNK);
        scene.write("b");

        assertThat(anns.await(3)).containsExactly("result", "add a", "add b");
    }

    @Test
    void role_thatNoRuleNamed_endsTheSubscriptionWithTheFirstObjectThatNamesIt() {
        for (String rule : List.of("'/db/Role/junk': 'deny'", "'/db/Role/junk': 'allow'")) {
            RecordingSubscriber anns = opened(ANN);
            RecordingSubscriber bobs = opened(BOB);
            scene.write(JUNK, WITH_ANN);
            scene.write("a");
            assertThat(anns.await(2)).last().isEqualTo("add a");

            scene.write("secret", readRules(rule));
            scene.write("b");

            assertThat(anns.await(3)).hasSize(3).last().isEqualTo("error 466");
            awaitThat(() -> bobs.messages().contains("add b"));
            scene.delete(JUNK);
            scene.remove("a");
            scene.remove("b");
            scene.remove("secret");
        }
    }

    /** The search for rules with the role finds none any more, but the event is not sent yet. */
    @Test
    void role_lostAndNamedByADeletedObject_endsTheSubscriptionBeforeThat() {
        scene.write(JUNK, WITH_ANN);
        RecordingSubscriber anns = opened(ANN);
        scene.delete(JUNK);
        scene.write("a");
        assertThat(anns.await(2)).last().isEqualTo("add a");

        holdACheck();
        writeAndRemove("'/db/Role/junk': 'allow'");
        scene.roleQueries.release();

        assertThat(anns.await(3)).containsExactly("result", "add a", "error 466");
    }

    @Test
    void role_namedByAnObjectDeletedBeforeTheCheck_endsTheSubscriptionBeforeThat() {
        scene.write(JUNK, WITH_ANN);
        RecordingSubscriber anns = opened(ANN);
        scene.roleQueries.delay();
        int before = scene.roleQueries.read();

        scene.delete(JUNK);
        awaitThat(() -> scene.roleQueries.read() > before);
        writeAndRemove("'/db/Role/junk': 'allow'");
        scene.roleQueries.release();

        assertThat(anns.await(2)).containsExactly("result", "error 466");
    }

    @Test
    void role_thatDeniesAndIsGainedByAUserInTooMany_endsTheSubscription() {
        scene.remove("ruled");
        RecordingSubscriber anns = opened(ANN);
        scene.writeRoles(1_200, WITH_ANN);
        scene.write("a");
        assertThat(anns.await(2)).containsExactly("result", "add a");

        scene.write("secret", readRules("'/db/Role/other': 'deny'"));

        assertThat(anns.await(3)).containsExactly("result", "add a", "error 466");
    }

    /**
     * Writes another role of Ann, and waits for a check that does not end before it is released.
     */
    private void holdACheck() {
        scene.roleQueries.delay();
        int before = scene.roleQueries.read();
        scene.write(new ObjectRef("Role", "other"), WITH_ANN);
        awaitThat(() -> scene.roleQueries.read() > before);
    }

    private void writeAndRemove(String rules) {
        scene.write("secret", readRules(rules));
        scene.remove("secret");
    }

    /** A role that was lost and gained again counts as unchanged. */
    @Test
    void role_backBeforeAnyRuleNamesIt_changesNothing() {
        scene.write(JUNK, WITH_ANN);
        RecordingSubscriber anns = opened(ANN);
        scene.delete(JUNK);
        scene.write("a");
        // delayed until the loss was checked, as that check would find the rule otherwise
        assertThat(anns.await(2)).last().isEqualTo("add a");
        scene.write(JUNK, WITH_ANN);

        scene.write("b", readRules("'/db/Role/junk': 'allow'"));

        assertThat(anns.await(3)).containsExactly("result", "add a", "add b");
    }

    @Test
    void role_gainedBetweenRequestAndSubscriptionThatNoRuleNames_changesNothing() {
        Caller caller = caller(tokens.issue(BOB));
        RecordingSubscriber bobs = new RecordingSubscriber();

        scene.write(JUNK, WITH_BOTH);
        await(scene.open(caller, bobs));
        scene.write("a");
        scene.write("b", readRules("'/db/Role/junk': 'deny'"));

        assertThat(bobs.await(3)).containsExactly("result", "add a", "error 466");
    }

    /** Admins may do everything, whatever their other roles are. */
    @Test
    void admin_whoseOtherRolesChange_goesOnUntilNoAdminAnyMore() {
        scene.write(ADMIN, WITH_ANN);
        RecordingSubscriber anns = opened(ANN);

        scene.delete(TEAM);
        scene.write("a");
        assertThat(anns.await(2)).last().isEqualTo("add a");
        scene.write(ADMIN, "{users: []}");
        scene.write("b");

        assertThat(anns.await(3)).containsExactly("result ruled", "add a", "error 466");
    }

    @Test
    void admin_becomesOne_endsTheSubscription() {
        RecordingSubscriber anns = opened(ANN);

        scene.write(ADMIN, WITH_ANN);

        assertThat(anns.await(2)).containsExactly("result", "error 466");
    }

    /**
     * A user whom others put into thousands of roles is looked up twice, and receives everything.
     */
    @Test
    void roles_thousandsAtOnce_areLookedUpTwice() {
        scene.remove("ruled");
        RecordingSubscriber anns = opened(ANN);
        int before = scene.roleQueries.begun();
        scene.roleQueries.delay();

        scene.writeRoles(3_000, WITH_ANN);
        scene.write("a");
        scene.roleQueries.release();

        assertThat(anns.await(2)).containsExactly("result", "add a");
        scene.write("b");
        assertThat(anns.await(3)).last().isEqualTo("add b");
        assertThat(scene.roleQueries.begun() - before).isEqualTo(2);
        assertThat(scene.held.existenceCheckCount()).isEqualTo(2);
    }

    /**
     * While roles are written without end, events from before the begin of a check are sent at its
     * end.
     */
    @Test
    void checks_withoutEnd_deliverTheCoveredEvents() {
        RecordingSubscriber anns = opened(ANN);
        int before = scene.roleQueries.read();
        scene.roleQueries.delay();
        scene.write(JUNK, WITH_ANN);

        for (int round = 0; round < 5; round++) {
            int looked = before + round + 1;
            awaitThat(() -> scene.roleQueries.read() == looked);
            scene.write("a" + round);
            scene.write(new ObjectRef("Role", "more" + round), WITH_ANN);
            scene.roleQueries.releaseSome();
            assertThat(anns.await(round + 2)).hasSize(round + 2).last().isEqualTo("add a" + round);
        }
        scene.roleQueries.release();
    }

    @Test
    void role_ofOthers_causesNoLookUp() {
        RecordingSubscriber anns = opened(ANN);
        int before = scene.roleQueries.begun();

        scene.writeRoles(200, "{users: ['/db/User/cy']}");
        scene.write("a");

        assertThat(anns.await(2)).containsExactly("result", "add a");
        assertThat(scene.roleQueries.begun()).isEqualTo(before);
    }

    @Test
    void role_lostBetweenRequestAndSubscription_isRefused() {
        Caller caller = caller(tokens.issue(BOB));

        scene.write(TEAM, WITH_ANN);

        assertThat(failureOf(scene.open(caller, new RecordingSubscriber())).code())
                .isEqualTo(ErrorCode.PERMISSION_DENIED);
    }

    @Test
    void role_lostWhileTheResultIsRead_isReportedInsteadOfTheResult() {
        scene.held.delay();
        RecordingSubscriber bobs = new RecordingSubscriber();
        Future<Subscription> opened = scene.open(caller(tokens.issue(BOB)), bobs);
        awaitThat(() -> scene.held.read() == 1);

        scene.write(TEAM, WITH_ANN);
        awaitThat(() -> !bobs.messages().isEmpty());
        scene.held.release();
        awaitAll(List.of(opened));
        scene.write("a");

        assertThat(bobs.messages()).containsExactly("error 466");
    }

    @Test
    void subscription_closedByItsOwner_receivesNothingOfItsRights() {
        RecordingSubscriber anns = new RecordingSubscriber();
        RecordingSubscriber witness = opened(ANN);
        scene.close(await(scene.open(caller(tokens.issue(ANN)), anns)));

        scene.delete(TEAM);

        assertThat(witness.await(2)).last().isEqualTo("error 466");
        assertThat(anns.messages()).containsExactly("result");
    }

    private RecordingSubscriber opened(ObjectRef user) {
        RecordingSubscriber recorder = new RecordingSubscriber();
        await(scene.open(caller(tokens.issue(user)), recorder));
        return recorder;
    }

    private Caller caller(String token) {
        return await(scene.authenticator.caller("BAT " + token));
    }
}
