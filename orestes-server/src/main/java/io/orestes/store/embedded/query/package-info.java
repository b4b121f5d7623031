/**
 * The execution of queries on one snapshot: plan, access paths, ordered index scans, pages and time
 * limit.
 */
@NullMarked
@CheckReturnValue
package io.orestes.store.embedded.query;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
