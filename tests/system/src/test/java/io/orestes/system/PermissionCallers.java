package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The callers of {@link PermissionMatrixTest}, and the forms of rules that name them. */
final class PermissionCallers {

    static final String ROLE_ONLY = "roleOnly";

    /** Names of all rules. */
    static final List<String> SHAPES = List.of(
            "public",
            "allowUser",
            "allowOther",
            "denyUser",
            "denyOther",
            "allowRole",
            "denyRole",
            "allowRoleDenyUser",
            "allowUserDenyRole",
            "allowOneRoleDenyAnother",
            "allowAnotherRole",
            "allowLoggedIn",
            "denyLoggedIn",
            "allowNode",
            "adminOnly",
            "denyAdmin",
            "allowUnknownRole",
            "denyUnknownRole");

    private static final String ADMIN = "/db/Role/1";
    private static final String NODE = "/db/Role/2";
    private static final String LOGGED_IN = "/db/Role/3";

    private final Backend backend;
    private final Accounts.User plain;
    private final Accounts.User member;
    private final Accounts.User both;
    private final Accounts.User other;
    private final Accounts.User admin;
    private final Accounts.User node;
    private final String roleA;
    private final String roleB;

    PermissionCallers(Backend backend) {
        this.backend = backend;
        this.plain = Accounts.create(backend);
        this.member = Accounts.create(backend);
        this.both = Accounts.create(backend);
        this.other = Accounts.create(backend);
        this.admin = Accounts.create(backend);
        this.node = Accounts.create(backend);
        this.roleA = role("a", member, both);
        this.roleB = role("b", both);
        change(ADMIN, "{\"$add\":{\"users\":\"" + admin.id() + "\"}}");
        change(NODE, "{\"$add\":{\"users\":\"" + node.id() + "\"}}");
    }

    /** Makes admin and node ordinary users again, for the tests that share the server. */
    void disband() {
        change(ADMIN, "{\"$remove\":{\"users\":\"" + admin.id() + "\"}}");
        change(NODE, "{\"$remove\":{\"users\":\"" + node.id() + "\"}}");
    }

    private String role(String name, Accounts.User... users) {
        String members =
                List.of(users).stream().map(user -> '"' + user.id() + '"').collect(Collectors.joining(","));
        return backend.root().insert("Role", "{\"name\":\"%s\",\"users\":[%s]}".formatted(name, members));
    }

    private void change(String id, String operations) {
        assertThat(backend.root().post(id, operations).status()).isEqualTo(200);
    }

    /** Returns one caller of each kind. */
    List<PermissionCaller> askers() {
        return List.of(
                PermissionCaller.of("anonymous", backend.anonymous()),
                PermissionCaller.of("plain", plain.client(), plain.id(), LOGGED_IN),
                PermissionCaller.of("member", member.client(), member.id(), LOGGED_IN, roleA),
                PermissionCaller.of("memberOfBoth", both.client(), both.id(), LOGGED_IN, roleA, roleB),
                PermissionCaller.of("other", other.client(), other.id(), LOGGED_IN),
                PermissionCaller.of("admin", admin.client(), admin.id(), LOGGED_IN, ADMIN),
                PermissionCaller.of("node", node.client(), node.id(), LOGGED_IN, NODE),
                PermissionCaller.of("root", backend.root(), "/db/User/1", LOGGED_IN, ADMIN),
                PermissionCaller.of(ROLE_ONLY, assumed(), both.id(), LOGGED_IN, roleA),
                signed(),
                PermissionCaller.unknown("revoked", revoked()),
                PermissionCaller.unknown("forged", backend.anonymous().withToken("0".repeat(60))));
    }

    private Client assumed() {
        Answer answer = both.client().post(roleA + "/assume", "");
        return backend.anonymous().withToken(answer.object().getString("token").getValue());
    }

    private PermissionCaller signed() {
        return new PermissionCaller(
                "signedUrl",
                Set.of(member.id(), LOGGED_IN, roleA),
                true,
                backend.anonymous(),
                Optional.of(member.client().token()),
                answer -> {});
    }

    private Client revoked() {
        Accounts.User user = Accounts.create(backend);
        assertThat(backend.root().delete(user.id() + "/token").status()).isEqualTo(204);
        return user.client();
    }

    /** Returns rules by their names: each form once, about those callers. */
    Map<String, Map<String, String>> rules() {
        Map<String, Map<String, String>> rules = new LinkedHashMap<>();
        rules.put("public", Map.of());
        rules.put("allowUser", Map.of(plain.id(), "allow"));
        rules.put("allowOther", Map.of(other.id(), "allow"));
        rules.put("denyUser", Map.of(plain.id(), "deny"));
        rules.put("denyOther", Map.of(other.id(), "deny"));
        rules.put("allowRole", Map.of(roleA, "allow"));
        rules.put("denyRole", Map.of(roleA, "deny"));
        rules.put("allowRoleDenyUser", Map.of(roleA, "allow", member.id(), "deny"));
        rules.put("allowUserDenyRole", Map.of(member.id(), "allow", roleA, "deny"));
        rules.put("allowOneRoleDenyAnother", Map.of(roleA, "allow", roleB, "deny"));
        rules.put("allowAnotherRole", Map.of(roleB, "allow"));
        rules.put("allowLoggedIn", Map.of(LOGGED_IN, "allow"));
        rules.put("denyLoggedIn", Map.of(LOGGED_IN, "deny"));
        rules.put("allowNode", Map.of(NODE, "allow"));
        rules.put("adminOnly", Map.of(ADMIN, "allow"));
        rules.put("denyAdmin", Map.of(ADMIN, "deny", "/db/User/1", "deny"));
        rules.put("allowUnknownRole", Map.of("/db/Role/nothing", "allow"));
        rules.put("denyUnknownRole", Map.of("/db/Role/nothing", "deny"));
        return rules;
    }
}
