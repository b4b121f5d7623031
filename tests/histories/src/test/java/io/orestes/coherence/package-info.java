/** The checker of coherence, of {@code tests/system}, with several servers. */
@NullMarked
@CheckReturnValue
package io.orestes.coherence;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
