/**
 * Benchmarks of several servers on MongoDB and ZooKeeper: replicated writes and transactions,
 * against MongoDB's own.
 */
@NullMarked
@CheckReturnValue
package io.orestes.bench.cluster;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
