package io.orestes.model;

import java.util.Set;

/**
 * The decision of a permission about a caller, with the rule that determined it (protocol §6.1).
 *
 * @param rule the first of the permission's rules that applies
 * @param matchedIds the caller's identities that the rule found in the permission; empty if it
 *     found none
 */
public record PermissionDecision(DecisionRule rule, Set<String> matchedIds) {

    /** The rules of a permission in the order in which they are tried. */
    public enum DecisionRule {
        /** Everything is granted to admins. */
        ADMIN("admin", true),
        /** The caller or a role of the caller is denied. */
        DENIED("deny", false),
        /** The permission allows nobody by name, and so everybody who is not denied. */
        UNRESTRICTED("unrestricted", true),
        /** The caller or a role of the caller is allowed. */
        ALLOWED("allow", true),
        /** Others are allowed, the caller is not. */
        NOT_ALLOWED("notAllowed", false);

        private final String key;
        private final boolean granted;

        DecisionRule(String key, boolean granted) {
            this.key = key;
            this.granted = granted;
        }

        /** Returns the name of the rule in responses. */
        public String key() {
            return key;
        }
    }

    public boolean granted() {
        return rule.granted;
    }
}
