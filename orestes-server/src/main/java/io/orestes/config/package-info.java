/**
 * {@code Settings}: typed reading of configuration keys and environment, with all errors reported
 * together.
 */
@NullMarked
@CheckReturnValue
package io.orestes.config;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
