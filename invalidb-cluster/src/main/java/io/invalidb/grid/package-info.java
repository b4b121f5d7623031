/**
 * Two-dimensional partitioning by query and by object, and the engine that runs all cells in this
 * process.
 */
@NullMarked
@CheckReturnValue
package io.invalidb.grid;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
