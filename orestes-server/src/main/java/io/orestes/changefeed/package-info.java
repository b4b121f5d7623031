/**
 * Writes of other programs to the store, and unannounced writes of failed servers: one server reads
 * them and announces them to all.
 */
@NullMarked
@CheckReturnValue
package io.orestes.changefeed;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
