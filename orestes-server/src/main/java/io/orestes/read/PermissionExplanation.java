package io.orestes.read;

import io.orestes.model.PermissionDecision;
import io.orestes.model.Principal;
import java.util.List;

/**
 * An explanation of why a user may or may not perform an operation, as a list of checks.
 *
 * @param principal who it is, with all roles as of now
 * @param steps what was asked, in this order; the first that refuses decides
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

        /** Objects of the class come into being by registration only. */
        REGISTRATION_ONLY("class", "registrationOnly"),

        /** The server chooses the ids of the class's objects; others than admins cannot. */
        ASSIGNED_ID("class", "assignedId"),

        /** There is no such object. */
        MISSING("object", "missing"),

        /** There is such an object already. */
        EXISTS("object", "exists"),

        /** The object has to stay. */
        BUILT_IN("object", "builtIn"),

        /** Nobody could administer the server without the user. */
        LAST_ADMIN("object", "lastAdmin");

        private final String level;
        private final String key;

        Circumstance(String level, String key) {
            this.level = level;
            this.key = key;
        }

        /** What it is a property of: {@code endpoint}, {@code class} or {@code object}. */
        public String level() {
            return level;
        }

        /** Its name in answers. */
        public String key() {
            return key;
        }
    }

    /** One check of an explanation, with its result. */
    public sealed interface ExplanationStep {

        boolean granted();

        /**
         * A permission was looked at.
         *
         * @param level {@code endpoint}, {@code class} or {@code object}
         * @param permission its name in the {@code acl} of that level; {@code admin} for endpoints
         *     that are for admins
         */
        record Permitted(String level, String permission, PermissionDecision decision) implements ExplanationStep {
            @Override
            public boolean granted() {
                return decision.granted();
            }
        }

        /** Something was found that no permission changes. */
        record Found(Circumstance what, boolean granted) implements ExplanationStep {}

        /**
         * Whether the object is in the result of the query.
         *
         * @param version of the object when it was looked at
         */
        record Matched(boolean granted, long version) implements ExplanationStep {}
    }
}
