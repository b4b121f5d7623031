/**
 * The entry point {@code main}, the whole configuration, and the composition root that creates,
 * starts and stops every object in order.
 */
@NullMarked
@CheckReturnValue
package io.orestes.app;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
