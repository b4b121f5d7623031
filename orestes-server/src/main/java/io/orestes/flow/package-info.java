/** Asynchronous work of many steps, one after the other. */
@NullMarked
@CheckReturnValue
package io.orestes.flow;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
