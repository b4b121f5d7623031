/**
 * The simulation of times to live: a trace replayed against browsers whose copies live as long as
 * one policy says.
 */
@NullMarked
@CheckReturnValue
package io.orestes.bench.ttl;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
