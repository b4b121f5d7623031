package io.orestes.read.explanation;

import io.orestes.model.PermissionDecision;
import io.orestes.model.Principal;
import java.util.List;

/**
 * An explanation of why a user may or may not perform an operation, as a list of checks.
 *
 * @param principal the user with all current roles
 * @param steps the checks in order; the first that refuses decides
 */
public record PermissionExplanation(Principal principal, List<ExplanationStep> steps) {

    public PermissionExplanation {
        steps = List.copyOf(steps);
    }

    public boolean granted() {
        return steps.stream().allMatch(ExplanationStep::granted);
    }

    /** The circumstances other than permissions that can decide whether an operation is granted. */
    public enum Circumstance {
        EVERYBODY("endpoint", "everybody"),
        EACH_ALONE("endpoint", "eachAlone"),

        /** Objects of the class are created by registration only. */
        REGISTRATION_ONLY("class", "registrationOnly"),

        /** The server assigns the ids of the class's objects; only admins choose others. */
        ASSIGNED_ID("class", "assignedId"),

        /** The object does not exist. */
        MISSING("object", "missing"),

        /** The object exists already. */
        EXISTS("object", "exists"),

        /** The object cannot be deleted. */
        BUILT_IN("object", "builtIn"),

        /** The user is the only active admin. */
        LAST_ADMIN("object", "lastAdmin");

        private final String level;
        private final String key;

        Circumstance(String level, String key) {
            this.level = level;
            this.key = key;
        }

        /** Returns the level of the property: {@code endpoint}, {@code class} or {@code object}. */
        public String level() {
            return level;
        }

        /** Returns the name in responses. */
        public String key() {
            return key;
        }
    }

    /** One check of an explanation, with its result. */
    public sealed interface ExplanationStep {

        boolean granted();

        /**
         * The check of a permission.
         *
         * @param level {@code endpoint}, {@code class} or {@code object}
         * @param permission its name in the {@code acl} of that level; {@code admin} for endpoints
         *     that are for admins
         */
        record PermissionCheck(String level, String permission, PermissionDecision decision)
                implements ExplanationStep {
            @Override
            public boolean granted() {
                return decision.granted();
            }
        }

        /** A circumstance that no permission changes. */
        record CircumstanceCheck(Circumstance what, boolean granted) implements ExplanationStep {}

        /**
         * The check whether the object is in the result of the query.
         *
         * @param version version of the object at the check
         */
        record MatchCheck(boolean granted, long version) implements ExplanationStep {}
    }
}
