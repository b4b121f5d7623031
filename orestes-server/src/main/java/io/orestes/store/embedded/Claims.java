package io.orestes.store.embedded;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Who holds which place in unique indexes, as changes that are put together see it. Used by the committer's thread alone. */
final class Claims {

    private final Database database;
    private final Map<Claim, Optional<String>> holders = new HashMap<>();

    Claims(Database database) {
        this.database = database;
    }

    /** Fails with {@code UNIQUE_INDEX_EXCEPTION} if another object holds one of them. */
    void requireFree(Set<Claim> claims, String id) {
        for (Claim claim : claims) {
            if (holder(claim).filter(other -> !other.equals(id)).isPresent()) {
                throw claim.violatedBy(id);
            }
        }
    }

    /** The object gives up one set of claims and takes another. */
    void exchange(Set<Claim> before, Set<Claim> after, String id, Changes changes) {
        for (Claim claim : before) {
            if (!after.contains(claim) && isHeldBy(id, claim)) {
                holders.put(claim, Optional.empty());
                changes.delete(Family.INDEXES, claim.key());
            }
        }
        for (Claim claim : after) {
            if (!before.contains(claim)) {
                holders.put(claim, Optional.of(id));
                changes.put(Family.INDEXES, claim.key(), Documents.key(id));
            }
        }
    }

    /** What forgets all changes from now on. */
    Runnable restoring() {
        Map<Claim, Optional<String>> before = new HashMap<>(holders);
        return () -> {
            holders.clear();
            holders.putAll(before);
        };
    }

    /** While an index is being filled an object may give up what another one claimed first. */
    private boolean isHeldBy(String id, Claim claim) {
        return holder(claim).filter(id::equals).isPresent();
    }

    private Optional<String> holder(Claim claim) {
        Optional<String> pending = holders.get(claim);
        return pending != null
                ? pending
                : database.get(Family.INDEXES, claim.key()).map(id -> new String(id, StandardCharsets.US_ASCII));
    }
}
