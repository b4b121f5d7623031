/** The log of this process: lines on standard error, and the newest entries retained for admins. */
@NullMarked
@CheckReturnValue
package io.orestes.logging;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
