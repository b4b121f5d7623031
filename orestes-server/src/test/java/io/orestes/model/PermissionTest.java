package io.orestes.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rules of protocol §6.1, one by one, and that the reason never contradicts the decision. */
final class PermissionTest {

    private static final String ANN = "/db/User/ann";
    private static final String EDITORS = "/db/Role/editors";
    private static final Principal CALLER = new Principal(Set.of(ANN, EDITORS, Principal.LOGGED_IN_ROLE), false);

    @Test
    void deny_ofOneRole_outweighsTheAllowOfTheUser() {
        Permission permission = new Permission(Set.of(ANN), Set.of(EDITORS));

        assertThat(permission.permits(CALLER)).isFalse();
        assertThat(permission.decide(CALLER))
                .isEqualTo(new PermissionDecision(PermissionDecision.DecisionRule.DENIED, Set.of(EDITORS)));
    }

    @Test
    void denyOnly_ofOthers_grants() {
        Permission permission = new Permission(Set.of(), Set.of("/db/User/bob"));

        assertThat(permission.decide(CALLER))
                .isEqualTo(new PermissionDecision(PermissionDecision.DecisionRule.UNRESTRICTED, Set.of()));
    }

    @Test
    void allow_ofOthers_refuses() {
        assertThat(Permission.only("/db/User/bob").decide(CALLER))
                .isEqualTo(new PermissionDecision(PermissionDecision.DecisionRule.NOT_ALLOWED, Set.of()));
    }

    @Test
    void allow_ofARole_grantsAndNamesIt() {
        assertThat(Permission.only(EDITORS, "/db/User/bob").decide(CALLER))
                .isEqualTo(new PermissionDecision(PermissionDecision.DecisionRule.ALLOWED, Set.of(EDITORS)));
    }

    /** Otherwise a user could escape a denying role by membership in enough others. */
    @Test
    void deny_ofAnyRole_isForThoseToWhomNotAllRolesCount() {
        Principal inMany = new Principal(Set.of(ANN, EDITORS, Principal.UNCOUNTED_ROLES), false);
        Permission permission = new Permission(Set.of(ANN), Set.of("/db/Role/suspended", "/db/User/bob"));

        assertThat(permission.permits(CALLER)).isTrue();
        assertThat(permission.permits(inMany)).isFalse();
        assertThat(permission.decide(inMany))
                .isEqualTo(
                        new PermissionDecision(PermissionDecision.DecisionRule.DENIED, Set.of("/db/Role/suspended")));
        assertThat(Permission.only("/db/Role/other").permits(inMany)).isFalse();
        assertThat(new Permission(Set.of(), Set.of("/db/User/bob")).permits(inMany))
                .isTrue();
    }

    @Test
    void admin_isGrantedEverything() {
        Principal admin = new Principal(Set.of(ANN), true);

        assertThat(new Permission(Set.of(), Set.of(ANN)).decide(admin).rule())
                .isEqualTo(PermissionDecision.DecisionRule.ADMIN);
    }

    @Test
    void reason_ofAnyPermissionForAnyone_agreesWithTheDecision() {
        Random random = new Random(61);
        List<String> ids = List.of(ANN, EDITORS, Principal.LOGGED_IN_ROLE, Principal.UNCOUNTED_ROLES, "/db/User/bob");
        for (int i = 0; i < 10_000; i++) {
            Permission permission = new Permission(some(ids, random), some(ids, random));
            Principal principal = new Principal(some(ids, random), random.nextInt(10) == 0);

            assertThat(permission.decide(principal).granted())
                    .as("%s for %s", permission, principal)
                    .isEqualTo(permission.permits(principal));
        }
    }

    private static Set<String> some(List<String> ids, Random random) {
        Stream<String> chosen = ids.stream().filter(id -> random.nextInt(3) == 0);
        return chosen.collect(Collectors.toSet());
    }
}
