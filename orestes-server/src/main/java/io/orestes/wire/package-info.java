/** What all transports read and write alike: text, query parameters, and failures as clients are told of them. */
@NullMarked
@CheckReturnValue
package io.orestes.wire;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
