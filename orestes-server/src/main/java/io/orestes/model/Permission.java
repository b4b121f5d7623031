package io.orestes.model;

import java.util.Collections;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Who may do one thing (protocol §6.1). With neither allowed nor denied ids it is public.
 *
 * @param allowed ids of users and roles that may; if there are any, nobody else may
 * @param denied ids of users and roles that may not, whatever else is said of them
 */
public record Permission(Set<String> allowed, Set<String> denied) {

    /** Everybody may. */
    public static final Permission PUBLIC = new Permission(Set.of(), Set.of());

    public Permission {
        allowed = Set.copyOf(allowed);
        denied = Set.copyOf(denied);
    }

    /** Only these may. */
    public static Permission only(String... ids) {
        return new Permission(Set.of(ids), Set.of());
    }

    /** Whether the rules of protocol §6.1 grant it to {@code principal}. */
    public boolean permits(Principal principal) {
        if (principal.isAdmin()) {
            return true;
        }
        return Collections.disjoint(denied, principal.identities())
                && (allowed.isEmpty() || !Collections.disjoint(allowed, principal.identities()));
    }

    /** The same with the reason, for people who ask why. */
    public Decision decide(Principal principal) {
        Set<String> denying = common(denied, principal);
        Set<String> allowing = common(allowed, principal);
        if (principal.isAdmin()) {
            return new Decision(Decision.Rule.ADMIN, Set.of());
        } else if (!denying.isEmpty()) {
            return new Decision(Decision.Rule.DENIED, denying);
        } else if (allowed.isEmpty()) {
            return new Decision(Decision.Rule.UNRESTRICTED, Set.of());
        }
        return new Decision(allowing.isEmpty() ? Decision.Rule.NOT_ALLOWED : Decision.Rule.ALLOWED, allowing);
    }

    private static Set<String> common(Set<String> ids, Principal principal) {
        return ids.stream().filter(principal.identities()::contains).collect(Collectors.toUnmodifiableSet());
    }

    /** Whether everybody may, logged in or not; only then may a shared cache keep what it protects. */
    public boolean isPublic() {
        return allowed.isEmpty() && denied.isEmpty();
    }
}
