/**
 * What this process says in its log: lines on standard error, and the newest entries kept for
 * admins.
 */
@NullMarked
@CheckReturnValue
package io.orestes.logging;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
