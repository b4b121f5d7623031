/** Servers of one process that agree without a network: mostly a single one. */
@NullMarked
@CheckReturnValue
package io.orestes.coordination.local;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
