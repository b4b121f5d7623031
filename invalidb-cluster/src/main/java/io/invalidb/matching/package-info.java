/** The filter stage: one cell of the grid, single-threaded, without clock, locks or I/O. */
@NullMarked
@CheckReturnValue
package io.invalidb.matching;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
