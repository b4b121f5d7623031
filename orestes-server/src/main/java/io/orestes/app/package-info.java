/**
 * {@code main}, the whole configuration, and the one class that builds every object and starts and
 * stops them in order.
 */
@NullMarked
@CheckReturnValue
package io.orestes.app;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
