package io.orestes.read.query;

/**
 * Limits of pull queries and their cache, and the default for subclasses.
 *
 * @param maxResults maximum number of objects that a query returns, also the default count; {@code
 *     query.max-results}
 * @param maxCached maximum number of cached results, each with its own sort, start and count;
 *     {@code query.max-cached}
 * @param maxMembers largest whole result, disregarding start and count, that a cached query may
 *     have; {@code query.max-members}
 * @param maxGroups maximum number of groups of an aggregate that is not live; {@code
 *     query.max-groups}
 * @param maxPrepared maximum number of prepared queries; {@code query.max-prepared}
 * @param polymorphic true if queries and counts include subclasses by default; {@code
 *     query.polymorphic}
 */
public record QueryConfig(
        int maxResults, int maxCached, int maxMembers, int maxGroups, int maxPrepared, boolean polymorphic) {}
