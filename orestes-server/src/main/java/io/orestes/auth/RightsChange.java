package io.orestes.auth;

import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.model.WriteOutcome;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * A write of a user, credential or role, with the ids whose rights it may change.
 *
 * @param written a user, also if it was the credential; or a role
 * @param members ids of the members that a role has now, or the id of the user
 */
public record RightsChange(ObjectRef written, Set<String> members) {

    public RightsChange {
        members = Set.copyOf(members);
    }

    /** That of a user, of what its tokens are worth, or of whether it is there. */
    public static RightsChange of(ObjectRef user) {
        return new RightsChange(user, Set.of(user.id()));
    }

    /** What that write means; empty if it decides nothing. */
    public static Optional<RightsChange> of(WriteOutcome writeOutcome) {
        if (writeOutcome.ref().bucket().equals(UserRepository.BUCKET)) {
            return Optional.of(of(writeOutcome.ref()));
        }
        return writeOutcome.ref().bucket().equals(UserRepository.ROLE_BUCKET)
                ? Optional.of(new RightsChange(writeOutcome.ref(), membersOf(writeOutcome)))
                : Optional.empty();
    }

    private static Set<String> membersOf(WriteOutcome role) {
        return role instanceof StoredObject stored ? UserRepository.members(stored.document()) : Set.of();
    }

    /** What was written and the members: whoever has none of these ids has what it had. */
    public Set<String> ids() {
        Set<String> ids = new HashSet<>(members);
        ids.add(written.id());
        return ids;
    }

    /** Whether a role was written, and not a user. */
    public boolean isOfRole() {
        return written.bucket().equals(UserRepository.ROLE_BUCKET);
    }
}
