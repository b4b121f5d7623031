package io.orestes.auth.rights;

import io.orestes.model.ObjectRef;
import io.orestes.model.WriteOutcome;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * A write of a user, credential or role, with the ids whose rights it may change.
 *
 * @param written the user, also for a write of its credential; or the role
 * @param members ids of the current members of a role, or the id of the user
 */
public record RightsChange(ObjectRef written, Set<String> members) {

    public RightsChange {
        members = Set.copyOf(members);
    }

    /**
     * Returns the change of a user: of its object, of the validity of its tokens, or of its
     * existence.
     */
    public static RightsChange of(ObjectRef user) {
        return new RightsChange(user, Set.of(user.id()));
    }

    /** Returns the change that a write makes; empty if it affects no rights. */
    public static Optional<RightsChange> of(WriteOutcome writeOutcome) {
        if (writeOutcome.ref().bucket().equals(UserRepository.BUCKET)) {
            return Optional.of(of(writeOutcome.ref()));
        }
        return writeOutcome.ref().bucket().equals(UserRepository.ROLE_BUCKET)
                ? Optional.of(new RightsChange(writeOutcome.ref(), membersOf(writeOutcome)))
                : Optional.empty();
    }

    private static Set<String> membersOf(WriteOutcome role) {
        return role.storedObject()
                .map(stored -> UserRepository.members(stored.document()))
                .orElse(Set.of());
    }

    /**
     * Returns the ids of the written object and the members: the rights of all other ids are
     * unchanged.
     */
    public Set<String> ids() {
        Set<String> ids = new HashSet<>(members);
        ids.add(written.id());
        return ids;
    }

    /** Returns whether a role was written, and not a user. */
    public boolean isOfRole() {
        return written.bucket().equals(UserRepository.ROLE_BUCKET);
    }
}
