/**
 * What all transports read and write alike: text, query parameters, failures as clients are told of
 * them, gzip, and room for what they have not taken yet.
 */
@NullMarked
@CheckReturnValue
package io.orestes.wire;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
