package io.invalidb.aggregation;

/**
 * The limits on the members, groups and heap bytes of one aggregate.
 *
 * @param members most objects in all groups together; only those of a live aggregate count, for it remembers them
 * @param groups most groups
 * @param bytes most heap for keys, remembered values and groups, by estimate
 */
public record AggregateLimits(int members, int groups, long bytes) {

    void requireMembers(int count) {
        if (count > members) {
            throw new AggregateTooLargeException("A live aggregate may be about at most " + members + " objects");
        }
    }

    void requireGroups(int count) {
        if (count > groups) {
            throw new AggregateTooLargeException("An aggregate may have at most " + groups + " groups");
        }
    }

    void requireBytes(long count) {
        if (count > bytes) {
            throw new AggregateTooLargeException("The values of an aggregate may take at most " + bytes + " bytes");
        }
    }
}
