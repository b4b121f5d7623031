package io.invalidb.grid;

/**
 * The numbers of writes, filter evaluations and result changes of one cell since it started.
 *
 * @param writes writes that arrived for buckets with queries, even if this cell has none of these
 *     queries
 * @param evaluations filters that were evaluated on these writes
 * @param events changes of results that these writes caused, without those of the replay at a
 *     subscription
 */
public record CellLoadCounters(long writes, long evaluations, long events) {}
