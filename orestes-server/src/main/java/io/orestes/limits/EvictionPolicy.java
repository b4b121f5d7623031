package io.orestes.limits;

import io.orestes.limits.EvictingBudget.Share;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** A choice of the share that is evicted from a budget in favour of others. */
public interface EvictionPolicy {

    /**
     * Returns the share to evict, or empty if the request is refused instead.
     *
     * @param shares shares of others, in the order in which they got bytes
     * @param requestedBytes size of the share that needs the bytes
     */
    Optional<Share> victim(Collection<Share> shares, long requestedBytes);

    /** Returns the policy that evicts the largest share if it is larger than what is requested. */
    static EvictionPolicy largest() {
        return (shares, requestedBytes) -> shares.stream()
                .max(Comparator.comparingLong(Share::bytes))
                .filter(largest -> largest.bytes() > requestedBytes);
    }

    /** Returns the policy that evicts the oldest share if it is older than {@code grace}. */
    static EvictionPolicy oldest(Duration grace) {
        return (shares, requestedBytes) ->
                shares.stream().findFirst().filter(oldest -> oldest.age().compareTo(grace) > 0);
    }
}
