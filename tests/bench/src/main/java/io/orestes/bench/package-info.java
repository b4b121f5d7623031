/**
 * Benchmarks of the built product, each side in a process of its own, and of single parts in this
 * one.
 */
@NullMarked
@CheckReturnValue
package io.orestes.bench;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
