/**
 * The client of InvaliDB: it publishes writes, activates queries, passes match events to the
 * listener that {@code app} connects, and tracks unacknowledged writes.
 */
@NullMarked
@CheckReturnValue
package io.orestes.invalidb;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
