package io.orestes.read;

import io.orestes.model.Decision;
import io.orestes.model.Principal;
import java.util.List;

/**
 * Why somebody may or may not do something.
 *
 * @param principal who it is, with all roles as of now
 * @param steps what was asked, in this order; the first that refuses decides
 */
public record Explanation(Principal principal, List<Step> steps) {

    public Explanation {
        steps = List.copyOf(steps);
    }

    public boolean granted() {
        return steps.stream().allMatch(Step::granted);
    }

    /** One question on the way. */
    public sealed interface Step {

        boolean granted();

        /**
         * A permission was looked at.
         *
         * @param level {@code class} or {@code object}
         * @param permission its name in the {@code acl} of that level
         */
        record Permitted(String level, String permission, Decision decision) implements Step {
            @Override
            public boolean granted() {
                return decision.granted();
            }
        }

        /** Objects of the class come into being by registration only. */
        record RegistrationOnly() implements Step {
            @Override
            public boolean granted() {
                return false;
            }
        }

        /** There is no such object. */
        record Missing(boolean granted) implements Step {}

        /**
         * Whether the object is in the result of the query.
         *
         * @param version of the object when it was looked at
         */
        record Matched(boolean granted, long version) implements Step {}
    }
}
