/** Health, version and the metric registry. */
@NullMarked
@CheckReturnValue
package io.orestes.ops;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
