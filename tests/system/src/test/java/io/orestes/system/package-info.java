/** The built product, started by its launcher and tested from outside, as its users see it. */
@NullMarked
@CheckReturnValue
package io.orestes.system;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
