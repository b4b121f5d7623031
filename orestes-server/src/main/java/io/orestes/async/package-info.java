/**
 * Asynchronous work: many steps, one after the other, outcomes that several callers share, and
 * pauses between attempts.
 */
@NullMarked
@CheckReturnValue
package io.orestes.async;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
