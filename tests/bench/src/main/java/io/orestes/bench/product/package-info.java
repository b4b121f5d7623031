/**
 * Benchmarks of one server: start, log-in, reads, writes, commits, permissions, indexes, export and
 * dashboard, each against the layer below alone.
 */
@NullMarked
@CheckReturnValue
package io.orestes.bench.product;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
