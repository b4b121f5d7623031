/**
 * Finds out from what transactions read and wrote whether they can have come one after the other.
 */
@NullMarked
@CheckReturnValue
package io.orestes.histories.check;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
