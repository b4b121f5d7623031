/**
 * One cell of the matching grid: its queries, the writes that it retains, and the events that a
 * write causes.
 */
@NullMarked
@CheckReturnValue
package io.invalidb.matching.cell;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
