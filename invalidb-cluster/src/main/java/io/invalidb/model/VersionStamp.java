package io.invalidb.model;

/**
 * A version stamp that totally orders all states of one object id, also across deletion and
 * re-insertion. Versions start at 1 again after a re-insertion.
 *
 * @param incarnation time of the object's insertion, milliseconds since 1970; strictly larger for
 *     an object that is inserted after another one with its id was deleted
 * @param version version since that insertion; a deletion counts as one further version
 */
public record VersionStamp(long incarnation, long version) implements Comparable<VersionStamp> {

    /** Returns whether this state was committed after {@code other}. */
    public boolean isAfter(VersionStamp other) {
        return compareTo(other) > 0;
    }

    @Override
    public int compareTo(VersionStamp other) {
        int byIncarnation = Long.compare(incarnation, other.incarnation);
        return byIncarnation != 0 ? byIncarnation : Long.compare(version, other.version);
    }
}
