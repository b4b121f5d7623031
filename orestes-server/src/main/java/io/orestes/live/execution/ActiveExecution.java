package io.orestes.live.execution;

import io.orestes.invalidb.MatchQuery;
import io.orestes.invalidb.QueryLease;

/**
 * One active execution of a live query: its own query in the grid, its maintained state and its
 * lease.
 *
 * @param query the query of this execution in the grid
 * @param state the result, updated by the grid's events; guarded by the live query
 * @param lease lease that keeps the query active in the grid
 */
public record ActiveExecution<S>(MatchQuery query, S state, QueryLease lease) {}
