/**
 * Executions of live queries in the grid: initial results that match events keep current, and the
 * heap that they share.
 */
@NullMarked
@CheckReturnValue
package io.orestes.live.execution;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
