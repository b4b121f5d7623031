package io.orestes.model;

import java.util.Collections;
import java.util.Set;

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

    /** Whether everybody may, logged in or not; only then may a shared cache keep what it protects. */
    public boolean isPublic() {
        return allowed.isEmpty() && denied.isEmpty();
    }
}
