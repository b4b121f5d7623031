/** Rate limits: of requests and registrations by network, and back-off after failed log-ins. */
@NullMarked
@CheckReturnValue
package io.orestes.auth.limit;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
