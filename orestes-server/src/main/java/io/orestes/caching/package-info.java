/**
 * Response cache, filter of stale keys, times to live and purges. {@link io.orestes.caching.Caches}
 * composes the parts by which other packages read, invalidate, administer and replicate them.
 *
 * <p><b>To read</b>: call {@code ReadCache.lookup}. On a miss take a ticket with
 * {@code issueTicket}, read the store, choose times to live, and call {@code admit}. If that is
 * false, the response is sent without a time to live. If it is true, {@code put} stores the
 * response for other requests.
 *
 * <p><b>To write</b>: commit, then call {@code CacheInvalidator.objectWritten} (or
 * {@code queryChanged}), then wait until the shared caches have {@code awaitInvalidated}, then
 * answer.
 *
 * <p><b>Why no stale copy slips through.</b> An invalidation ({@code LocalCaches.invalidate}) runs
 * in this order: count in the ticket table (1), remove the response (2), read the sketch (3). A
 * copy leaves the server ({@code ReadCache}) in one of three ways. A miss reports its time to the
 * sketch and then compares the ticket. If (1) came before the comparison, no copy may be retained;
 * otherwise the report came before (3), which sees it. A hit that has to report does so and then
 * checks again that the response is still cached. If (2) came first it is not, and the hit counts
 * as a miss; otherwise the report came before (3). A hit whose time is within an earlier report
 * found the response before (2), so that report came before (3).
 */
@NullMarked
@CheckReturnValue
package io.orestes.caching;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
