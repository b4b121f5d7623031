package io.orestes.model;

import java.util.Optional;
import java.util.Set;

/**
 * The identity on whose behalf a request runs: the ids of a user and its roles.
 *
 * @param identities ids that permissions may name: the user's own and those of all roles it has;
 *     empty for anonymous
 * @param isAdmin whether it has the admin role, to which everything is permitted
 */
public record Principal(Set<String> identities, boolean isAdmin) {

    /** Id of the role to whose members everything is permitted. */
    public static final String ADMIN_ROLE = "/db/Role/1";

    /** Id of the role of code that runs on the server. */
    public static final String NODE_ROLE = "/db/Role/2";

    /** Id of the role that every logged-in user has. */
    public static final String LOGGED_IN_ROLE = "/db/Role/3";

    /**
     * Stands for all roles of a user with more roles than are counted, and is the id of none. A
     * permission that denies any role denies it to such a user.
     */
    public static final String UNCOUNTED_ROLES = "/db/Role/";

    private static final String USERS = "/db/User/";

    /** Principal of requests without login. */
    public static final Principal ANONYMOUS = new Principal(Set.of(), false);

    /** Principal of the server itself: schema bootstrap, demo data, jobs. */
    public static final Principal SERVER = new Principal(Set.of(), true);

    public Principal {
        identities = Set.copyOf(identities);
    }

    /** Returns the user's own id; empty if there is no user. */
    public Optional<String> user() {
        return identities.stream().filter(id -> id.startsWith(USERS)).findFirst();
    }

    /** True if it has roles that are not counted. */
    public boolean hasUncountedRoles() {
        return identities.contains(UNCOUNTED_ROLES);
    }

    /** True if the id can be that of a role. */
    public static boolean isRole(String id) {
        return id.startsWith(UNCOUNTED_ROLES);
    }

    /** True if this caller sees exactly what the public sees. */
    public boolean isAnonymous() {
        return identities.isEmpty() && !isAdmin;
    }
}
