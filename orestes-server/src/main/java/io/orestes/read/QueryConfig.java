package io.orestes.read;

/**
 * Limits of pull queries and their cache, and which classes they are about.
 *
 * @param maxResults most objects a query returns, and how many if it names no count; {@code
 *     query.max-results}
 * @param maxCached most results cached at a time, each with its own sort, start and count; {@code
 *     query.max-cached}
 * @param maxMembers largest whole result, disregarding start and count, that a cached query may
 *     have; {@code query.max-members}
 * @param maxGroups most groups of an aggregate that is not live; {@code query.max-groups}
 * @param maxPrepared most prepared queries there may be; {@code query.max-prepared}
 * @param polymorphic whether queries and counts that say nothing of it are also about subclasses;
 *     {@code query.polymorphic}
 */
public record QueryConfig(
        int maxResults, int maxCached, int maxMembers, int maxGroups, int maxPrepared, boolean polymorphic) {}
