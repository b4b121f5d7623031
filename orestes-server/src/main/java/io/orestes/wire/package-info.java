/**
 * Parts shared by all transports: text, query parameters, failures as clients receive them, gzip,
 * and the budget for unsent responses.
 */
@NullMarked
@CheckReturnValue
package io.orestes.wire;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
