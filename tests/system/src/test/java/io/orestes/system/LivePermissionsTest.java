package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.http.LiveStream;
import io.orestes.system.PermissionWatcher.LiveTransport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Live queries under every form of rule by every kind of caller, and of callers whose rights change
 * meanwhile.
 */
@ExtendWith(SharedBackend.class)
@TestInstance(Lifecycle.PER_CLASS)
final class LivePermissionsTest {

    private static final String SECRET = "98765432";

    private final Backend backend;
    private final Client root;
    private final PermissionCallers cast;
    private final List<PermissionCaller> askers;

    LivePermissionsTest(Backend backend) {
        this.backend = backend;
        this.root = backend.root();
        this.cast = new PermissionCallers(backend);
        this.askers = cast.askers();
    }

    @AfterAll
    void leave() {
        cast.disband();
    }

    static Stream<Arguments> rules() {
        return PermissionCallers.SHAPES.stream()
                .flatMap(rule -> Stream.of(LiveTransport.values()).map(way -> Arguments.of(way, rule)));
    }

    private List<PermissionCaller> askers(LiveTransport way) {
        return askers.stream()
                .filter(asker -> way == LiveTransport.STREAM || asker.signedBy().isEmpty())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("rules")
    void ruleOfTheClass_decidesWhoMaySubscribe(LiveTransport way, String rule) throws Exception {
        String bucket = newClass();
        put(bucket, PermissionWatcher.OBJECT, 1, Map.of());
        put(bucket, PermissionWatcher.MARK, 1, Map.of());
        permit(bucket, rule(rule));

        Map<String, String> learned = new LinkedHashMap<>();
        Map<String, String> expected = new LinkedHashMap<>();
        for (PermissionCaller asker : askers(way)) {
            boolean granted = PermissionOracle.grants(rule(rule), asker.identities());
            expected.put(asker.name(), !asker.isKnown() ? "460" : granted ? "shown" : "466");
            learned.put(asker.name(), subscribed(way, asker, bucket));
            assertExplained(asker, "/db/" + bucket, granted);
        }

        assertThat(learned).isEqualTo(expected);
    }

    private void assertExplained(PermissionCaller asker, String ref, boolean granted) {
        if (asker.isSomebody()) {
            assertThat(PermissionExplanations.isGranted(root, asker, "subscribe", ref))
                    .as(asker + " of " + ref)
                    .isEqualTo(granted);
        }
    }

    private String subscribed(LiveTransport way, PermissionCaller asker, String bucket) throws Exception {
        if (way == LiveTransport.STREAM) {
            Optional<String> refusal = refusal(asker, bucket);
            if (refusal.isPresent()) {
                return refusal.get();
            }
        }
        try (PermissionWatcher watcher = PermissionWatcher.open(backend, way, asker, bucket)) {
            return watcher.initial();
        }
    }

    /** The refusal of a stream is an ordinary answer. */
    private Optional<String> refusal(PermissionCaller asker, String bucket) throws Exception {
        int status = LiveStream.status(asker.client(), asker.addressed("/db/" + bucket + "/events?q=%7B%7D"));
        return status == 200 ? Optional.empty() : Optional.of(String.valueOf(status));
    }

    @ParameterizedTest
    @MethodSource("rules")
    void ruleOfTheObject_decidesWhoReceivesItsEvents(LiveTransport way, String rule) throws Exception {
        String bucket = newClass();
        put(bucket, PermissionWatcher.OBJECT, 1, rule(rule));
        put(bucket, PermissionWatcher.MARK, 1, Map.of());
        Map<PermissionCaller, PermissionWatcher> watchers = watchers(way, bucket);
        Map<String, String> learned = new LinkedHashMap<>();
        Map<String, String> expected = new LinkedHashMap<>();
        for (Map.Entry<PermissionCaller, PermissionWatcher> each : watchers.entrySet()) {
            boolean granted = PermissionOracle.grants(rule(rule), each.getKey().identities());
            expected.put(each.getKey().name(), granted ? "shown [change]" : "hidden []");
            learned.put(each.getKey().name(), each.getValue().initial());
            assertExplained(each.getKey(), "/db/" + bucket + "/" + PermissionWatcher.OBJECT, granted);
        }

        put(bucket, PermissionWatcher.OBJECT, 2, rule(rule));
        put(bucket, PermissionWatcher.MARK, 1, Map.of());

        for (Map.Entry<PermissionCaller, PermissionWatcher> each : watchers.entrySet()) {
            learned.merge(each.getKey().name(), types(each.getValue().events()).toString(), (a, b) -> a + " " + b);
            each.getValue().close();
        }
        assertThat(learned).isEqualTo(expected);
    }

    /** Returns each rule of a class with another one of the object. */
    static Stream<Arguments> pairsOfRules() {
        List<String> shapes = PermissionCallers.SHAPES;
        return IntStream.range(0, shapes.size()).boxed().flatMap(i -> Stream.of(LiveTransport.values())
                .map(way -> Arguments.of(way, shapes.get(i), shapes.get((i + 1) % shapes.size()))));
    }

    @ParameterizedTest
    @MethodSource("pairsOfRules")
    void rulesOfClassAndObject_bothHaveToPermit(LiveTransport way, String ofClass, String ofObject) throws Exception {
        String bucket = newClass();
        put(bucket, PermissionWatcher.OBJECT, 1, rule(ofObject));
        put(bucket, PermissionWatcher.MARK, 1, Map.of());
        permit(bucket, rule(ofClass));

        Map<String, String> learned = new LinkedHashMap<>();
        Map<String, String> expected = new LinkedHashMap<>();
        for (PermissionCaller asker : askers(way)) {
            boolean mayAsk = PermissionOracle.grants(rule(ofClass), asker.identities());
            boolean maySee = PermissionOracle.grants(rule(ofObject), asker.identities());
            expected.put(asker.name(), !asker.isKnown() ? "460" : !mayAsk ? "466" : maySee ? "shown" : "hidden");
            learned.put(asker.name(), subscribed(way, asker, bucket));
            assertExplained(asker, "/db/" + bucket + "/" + PermissionWatcher.OBJECT, mayAsk && maySee);
        }

        assertThat(learned).isEqualTo(expected);
    }

    /** The object is hidden together with a change of it that must stay hidden, and shown again. */
    @ParameterizedTest
    @MethodSource("rules")
    void changeOfTheRule_removesTheObjectFromCallersWithoutPermission(LiveTransport way, String rule) throws Exception {
        String bucket = newClass();
        put(bucket, PermissionWatcher.OBJECT, 1, Map.of());
        put(bucket, PermissionWatcher.MARK, 1, Map.of());
        Map<PermissionCaller, PermissionWatcher> watchers = watchers(way, bucket);
        for (PermissionWatcher watcher : watchers.values()) {
            assertThat(watcher.initial()).isEqualTo("shown");
        }

        put(bucket, PermissionWatcher.OBJECT, Integer.parseInt(SECRET), rule(rule));
        put(bucket, PermissionWatcher.MARK, 1, Map.of());
        put(bucket, PermissionWatcher.OBJECT, 1, Map.of());
        put(bucket, PermissionWatcher.MARK, 1, Map.of());

        for (Map.Entry<PermissionCaller, PermissionWatcher> each : watchers.entrySet()) {
            boolean granted = PermissionOracle.grants(rule(rule), each.getKey().identities());
            List<BsonDocument> hidden = each.getValue().events();
            List<BsonDocument> again = each.getValue().events();
            each.getValue().close();
            assertThat(settled(hidden)).as("%s: %s", each.getKey(), hidden).isEqualTo(granted ? "change" : "remove");
            assertThat(settled(again)).as("%s: %s", each.getKey(), again).isEqualTo(granted ? "change" : "add");
            assertThat(hidden.toString().contains(SECRET))
                    .as("%s: %s", each.getKey(), hidden)
                    .isEqualTo(granted);
        }
    }

    /** Returns the only event type; in a sorted result a change may be one of position. */
    private static String settled(List<BsonDocument> events) {
        return types(events).toString().replaceAll("[\\[\\]]", "").replace("changeIndex", "change");
    }

    /** A change of a user's rights, and the status that ends the earlier subscriptions. */
    enum RightsChange {
        A_ROLE("466"),
        ALL_ROLES("466"),
        NAMED_ROLE_GAINED("466"),
        ADMIN_GAINED("466"),
        ADMIN_LOST("466"),
        ROLE_DELETED("466"),
        TOKEN_REVOKED("460"),
        DEACTIVATED("460"),
        DELETED("460");

        private final String status;

        RightsChange(String status) {
            this.status = status;
        }
    }

    static Stream<Arguments> losses() {
        return Stream.of(RightsChange.values())
                .flatMap(loss -> Stream.of(LiveTransport.values()).map(way -> Arguments.of(loss, way)));
    }

    /** The subscriber has two roles, one of which may read the object. */
    @ParameterizedTest
    @MethodSource("losses")
    void changeOfRights_endsTheSubscriptionBeforeFurtherEvents(RightsChange loss, LiveTransport way) throws Exception {
        Accounts.User user = Accounts.create(backend);
        String role = role(user);
        String another = role(user);
        String named = root.insert("Role", "{\"name\":\"others\",\"users\":[]}");
        Map<String, String> rule = Map.of(role, "allow", named, "allow");
        if (loss == RightsChange.ADMIN_LOST) {
            change("/db/Role/1", "$add", user);
        }
        String bucket = newClass();
        put(bucket, PermissionWatcher.OBJECT, 1, rule);
        put(bucket, PermissionWatcher.MARK, 1, Map.of());
        PermissionCaller asker = PermissionCaller.of("user", user.client(), user.id());
        try (PermissionWatcher watcher = PermissionWatcher.open(backend, way, asker, bucket)) {
            assertThat(watcher.initial()).isEqualTo("shown");

            suffer(loss, user, role, another, named);
            put(bucket, PermissionWatcher.OBJECT, 2, rule);

            assertThat(watcher.end()).isEqualTo(loss.status);
        }
        assertThat(subscribed(way, asker, bucket)).isEqualTo(afterwards(loss));
        if (loss == RightsChange.ADMIN_GAINED) {
            change("/db/Role/1", "$remove", user);
        }
    }

    private void suffer(RightsChange loss, Accounts.User user, String role, String another, String named) {
        switch (loss) {
            case A_ROLE -> change(role, "$remove", user);
            case ALL_ROLES -> {
                change(another, "$remove", user);
                change(role, "$remove", user);
            }
            case NAMED_ROLE_GAINED -> change(named, "$add", user);
            case ADMIN_GAINED -> change("/db/Role/1", "$add", user);
            case ADMIN_LOST -> change("/db/Role/1", "$remove", user);
            case ROLE_DELETED -> root.remove(role);
            case TOKEN_REVOKED ->
                assertThat(root.delete(user.id() + "/token").status()).isEqualTo(204);
            case DEACTIVATED ->
                assertThat(root.post(user.id(), "{\"$set\":{\"inactive\":true}}")
                                .status())
                        .isEqualTo(200);
            case DELETED -> root.remove(user.id());
        }
    }

    private static String afterwards(RightsChange loss) {
        return switch (loss) {
            case A_ROLE, ALL_ROLES, ROLE_DELETED -> "hidden";
            case NAMED_ROLE_GAINED, ADMIN_GAINED, ADMIN_LOST -> "shown";
            case TOKEN_REVOKED, DEACTIVATED, DELETED -> "460";
        };
    }

    /** Anybody may add users to roles. */
    @ParameterizedTest
    @EnumSource(LiveTransport.class)
    void roleThatNoRuleNames_leavesSubscriptionsOfItsMembersAsTheyAre(LiveTransport way) throws Exception {
        Accounts.User user = Accounts.create(backend);
        String bucket = newClass();
        put(bucket, PermissionWatcher.OBJECT, 1, Map.of(user.id(), "allow"));
        put(bucket, PermissionWatcher.MARK, 1, Map.of());
        PermissionCaller asker = PermissionCaller.of("user", user.client(), user.id());
        try (PermissionWatcher watcher = PermissionWatcher.open(backend, way, asker, bucket)) {
            assertThat(watcher.initial()).isEqualTo("shown");

            String junk = backend.anonymous()
                    .insert("Role", "{\"name\":\"junk\",\"users\":[\"" + user.id() + "\",\"/db/User/1\"]}");
            put(bucket, PermissionWatcher.OBJECT, 2, Map.of(user.id(), "allow"));
            put(bucket, PermissionWatcher.MARK, 1, Map.of());
            assertThat(settled(watcher.events())).isEqualTo("change");

            put(bucket, PermissionWatcher.OBJECT, 3, Map.of(user.id(), "allow", junk, "deny"));
            assertThat(watcher.end()).isEqualTo("466");
        }
        assertThat(subscribed(way, asker, bucket)).isEqualTo("hidden");
    }

    /** The class itself becomes one that its subscribers may not query. */
    @ParameterizedTest
    @EnumSource(LiveTransport.class)
    void changeOfTheRuleOfTheClass_endsTheSubscription(LiveTransport way) throws Exception {
        String bucket = newClass();
        put(bucket, PermissionWatcher.OBJECT, 1, Map.of());
        try (PermissionWatcher watcher = PermissionWatcher.open(backend, way, askers.get(0), bucket)) {
            assertThat(watcher.initial()).isEqualTo("shown");

            permit(bucket, Map.of("/db/Role/1", "allow"));
            put(bucket, PermissionWatcher.OBJECT, Integer.parseInt(SECRET), Map.of());

            assertThat(watcher.end()).isEqualTo("466");
        }
    }

    private Map<PermissionCaller, PermissionWatcher> watchers(LiveTransport way, String bucket) throws Exception {
        Map<PermissionCaller, PermissionWatcher> watchers = new LinkedHashMap<>();
        for (PermissionCaller asker :
                askers(way).stream().filter(PermissionCaller::isKnown).toList()) {
            watchers.put(asker, PermissionWatcher.open(backend, way, asker, bucket));
        }
        return watchers;
    }

    private static List<String> types(List<BsonDocument> events) {
        List<String> types = new ArrayList<>();
        events.forEach(event -> types.add(event.getString("matchType").getValue()));
        return types;
    }

    private Map<String, String> rule(String name) {
        assertThat(cast.rules()).containsOnlyKeys(PermissionCallers.SHAPES);
        return cast.rules().getOrDefault(name, Map.of());
    }

    private String newClass() {
        return backend.newClass("n", "Integer");
    }

    private void put(String bucket, String key, int n, Map<String, String> read) {
        root.update(
                "/db/" + bucket + "/" + key,
                "{\"n\":%d,\"acl\":{\"read\":%s,\"write\":{}}}".formatted(n, PermissionTestbed.json(read)));
    }

    private void permit(String bucket, Map<String, String> rule) {
        Answer permitted = root.post(
                "/schema",
                "{\"operation\":\"updateClassAcl\",\"bucket\":\"/db/%s\",\"acl\":{\"query\":%s}}"
                        .formatted(bucket, PermissionTestbed.json(rule)));
        assertThat(permitted.status()).as(permitted.text()).isEqualTo(200);
    }

    private String role(Accounts.User user) {
        return root.insert("Role", "{\"name\":\"watchers\",\"users\":[\"" + user.id() + "\"]}");
    }

    private void change(String role, String operation, Accounts.User user) {
        Answer changed = root.post(role, "{\"%s\":{\"users\":\"%s\"}}".formatted(operation, user.id()));
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
    }
}
