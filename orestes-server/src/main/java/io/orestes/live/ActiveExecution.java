package io.orestes.live;

import io.orestes.invalidb.MatchQuery;
import io.orestes.invalidb.QueryLease;

/**
 * One active execution of a live query: its own query in the grid, its maintained state and its
 * lease.
 *
 * @param query as the grid knows it
 * @param state begun with the result, kept with the grid's events; guarded by the live query
 * @param hold keeps it in the grid
 */
record ActiveExecution<S>(MatchQuery query, S state, QueryLease hold) {}
