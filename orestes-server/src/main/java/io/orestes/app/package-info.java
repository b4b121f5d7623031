/**
 * The entry point {@code main} with its exit statuses, and the order in which the modules of a
 * server start and stop.
 */
@NullMarked
@CheckReturnValue
package io.orestes.app;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
