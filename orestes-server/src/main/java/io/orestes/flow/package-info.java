/** Asynchronous work: many steps, one after the other, and outcomes that several callers share. */
@NullMarked
@CheckReturnValue
package io.orestes.flow;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
