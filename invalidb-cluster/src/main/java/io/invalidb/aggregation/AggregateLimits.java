package io.invalidb.aggregation;

/**
 * The limits on the members, groups and heap bytes of one aggregate.
 *
 * @param maxMembers maximum number of objects in all groups together; it limits only live
 *     aggregates, which store an entry for each object
 * @param maxGroups maximum number of groups
 * @param maxBytes maximum heap for keys, stored values and groups, by estimate
 */
public record AggregateLimits(int maxMembers, int maxGroups, long maxBytes) {

    void requireMembers(int count) {
        if (count > maxMembers) {
            throw new AggregateTooLargeException("A live aggregate may be about at most " + maxMembers + " objects");
        }
    }

    void requireGroups(int count) {
        if (count > maxGroups) {
            throw new AggregateTooLargeException("An aggregate may have at most " + maxGroups + " groups");
        }
    }

    void requireBytes(long count) {
        if (count > maxBytes) {
            throw new AggregateTooLargeException("The values of an aggregate may take at most " + maxBytes + " bytes");
        }
    }
}
