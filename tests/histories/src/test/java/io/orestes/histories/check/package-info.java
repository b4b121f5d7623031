/** Checks whether transactions can have happened in a serial order, by what they read and wrote. */
@NullMarked
@CheckReturnValue
package io.orestes.histories.check;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
