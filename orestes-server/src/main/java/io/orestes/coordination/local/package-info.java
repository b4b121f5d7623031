/** Coordination of servers in one process without a network, mostly of a single server. */
@NullMarked
@CheckReturnValue
package io.orestes.coordination.local;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
