/**
 * Benchmarks of live queries through the whole product: the delay from a write to its events, and
 * the writes and subscribers that one server carries.
 */
@NullMarked
@CheckReturnValue
package io.orestes.bench.live;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
