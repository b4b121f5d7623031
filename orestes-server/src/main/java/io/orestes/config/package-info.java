/**
 * {@code Settings}: typed reading of configuration keys and environment, all mistakes reported at
 * once.
 */
@NullMarked
@CheckReturnValue
package io.orestes.config;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
