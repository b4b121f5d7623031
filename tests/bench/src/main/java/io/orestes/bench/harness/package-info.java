/**
 * The benchmark harness: figures and their goals, rounds and percentiles, and the product and its
 * rivals as processes.
 */
@NullMarked
@CheckReturnValue
package io.orestes.bench.harness;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
