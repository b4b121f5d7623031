/**
 * Benchmarks of the matching grid in this process: cells, windows and grid under the workloads W1
 * to W3 of the InvaliDB paper.
 */
@NullMarked
@CheckReturnValue
package io.orestes.bench.matching;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
