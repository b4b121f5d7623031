package io.orestes.system;

import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * A second implementation of the rules of protocol §6.1, written from its text: an oracle must not
 * share the server's code.
 */
final class PermissionOracle {

    private static final String ADMIN = "/db/Role/1";

    private PermissionOracle() {}

    /**
     * Returns whether a permission, a map from ids to {@code allow} or {@code deny}, grants access
     * to a caller with these ids.
     */
    static boolean grants(Map<String, String> permission, Set<String> identities) {
        if (identities.contains(ADMIN)) {
            return true;
        }
        if (identities.stream().anyMatch(id -> "deny".equals(permission.get(id)))) {
            return false;
        }
        return !permission.containsValue("allow")
                || identities.stream().anyMatch(id -> "allow".equals(permission.get(id)));
    }

    /** Returns whether all of these grant access. */
    static boolean grant(Collection<Map<String, String>> permissions, Set<String> identities) {
        return permissions.stream().allMatch(permission -> grants(permission, identities));
    }
}
