/**
 * Asynchronous control flow: loops, shared executions, request batching, bulkheads, fences, mutual
 * exclusion by key, operations in flight, repetition with a fixed delay, and back-off between
 * attempts.
 */
@NullMarked
@CheckReturnValue
package io.orestes.async;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
