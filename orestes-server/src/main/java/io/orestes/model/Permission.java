package io.orestes.model;

import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A permission for one action: the ids of users and roles that are allowed or denied it (protocol
 * §6.1). It is public if it has neither allowed nor denied ids.
 *
 * @param allowed ids of users and roles that may; if there are any, nobody else may
 * @param denied ids of users and roles that may not, even if they are allowed
 */
public record Permission(Set<String> allowed, Set<String> denied) {

    /** Permission of everybody. */
    public static final Permission PUBLIC = new Permission(Set.of(), Set.of());

    public Permission {
        allowed = Set.copyOf(allowed);
        denied = Set.copyOf(denied);
    }

    /** Creates a permission of these ids only. */
    public static Permission only(String... ids) {
        return new Permission(Set.of(ids), Set.of());
    }

    /**
     * Fails with {@code INVALID_PERMISSION_MODIFICATION} if one of the ids is not the id of an
     * object, or is not spelled as by {@link ObjectRef#id}: it would match no identity.
     */
    public void requireIds() {
        Stream.concat(allowed.stream(), denied.stream())
                .filter(id -> !ObjectRef.parse(id).map(ObjectRef::id).equals(Optional.of(id)))
                .findFirst()
                .ifPresent(id -> {
                    throw new ApiException(
                            ErrorCode.INVALID_PERMISSION_MODIFICATION, "Not the id of a user or role: " + id);
                });
    }

    /** True if the rules of protocol §6.1 grant it to {@code principal}. */
    public boolean permits(Principal principal) {
        if (principal.isAdmin()) {
            return true;
        }
        return !denies(principal) && (allowed.isEmpty() || !Collections.disjoint(allowed, principal.identities()));
    }

    /** Decides as {@link #permits} does, and returns the reason. */
    public PermissionDecision decide(Principal principal) {
        Set<String> denying = denying(principal);
        Set<String> allowing = common(allowed, principal);
        if (principal.isAdmin()) {
            return new PermissionDecision(PermissionDecision.DecisionRule.ADMIN, Set.of());
        } else if (!denying.isEmpty()) {
            return new PermissionDecision(PermissionDecision.DecisionRule.DENIED, denying);
        } else if (allowed.isEmpty()) {
            return new PermissionDecision(PermissionDecision.DecisionRule.UNRESTRICTED, Set.of());
        }
        return new PermissionDecision(
                allowing.isEmpty()
                        ? PermissionDecision.DecisionRule.NOT_ALLOWED
                        : PermissionDecision.DecisionRule.ALLOWED,
                allowing);
    }

    private boolean denies(Principal principal) {
        return !Collections.disjoint(denied, principal.identities())
                || (principal.hasUncountedRoles() && denied.stream().anyMatch(Principal::isRole));
    }

    private Set<String> denying(Principal principal) {
        return principal.hasUncountedRoles()
                ? denied.stream()
                        .filter(id ->
                                Principal.isRole(id) || principal.identities().contains(id))
                        .collect(Collectors.toUnmodifiableSet())
                : common(denied, principal);
    }

    private static Set<String> common(Set<String> ids, Principal principal) {
        return ids.stream().filter(principal.identities()::contains).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * True if everybody has the permission, logged in or not; only then may a shared cache store
     * the protected object.
     */
    public boolean isPublic() {
        return allowed.isEmpty() && denied.isEmpty();
    }
}
