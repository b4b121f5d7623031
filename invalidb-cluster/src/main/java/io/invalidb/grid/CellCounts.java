package io.invalidb.grid;

/**
 * The numbers of writes, filter evaluations and result changes of one cell since it started.
 *
 * @param writes that came, of buckets that some query is about, though perhaps none of this cell
 * @param evaluations filters that were evaluated on them
 * @param events changes of results that they caused; not those that a query found when it entered
 */
public record CellCounts(long writes, long evaluations, long events) {}
