package io.orestes.system;

import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * The rules of protocol §6.1 once more, written from its text: what a server is compared with must
 * not share its code.
 */
final class PermissionOracle {

    private static final String ADMIN = "/db/Role/1";

    private PermissionOracle() {}

    /**
     * Whether a permission, a map from ids to {@code allow} or {@code deny}, grants something to
     * whoever has these ids.
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

    /** Whether all of these do. */
    static boolean grant(Collection<Map<String, String>> permissions, Set<String> identities) {
        return permissions.stream().allMatch(permission -> grants(permission, identities));
    }
}
