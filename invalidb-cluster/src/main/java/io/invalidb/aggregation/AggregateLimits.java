package io.invalidb.aggregation;

/**
 * The limits on the members, groups and heap bytes of one aggregate.
 *
 * @param members maximum number of objects in all groups together; it limits only live aggregates,
 *     which store an entry for each object
 * @param groups maximum number of groups
 * @param bytes maximum heap for keys, stored values and groups, by estimate
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
