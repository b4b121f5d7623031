/** Servers that are started as an operator starts them, by the launcher {@code ./orestes}. */
@NullMarked
@CheckReturnValue
package io.orestes.support.server;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
