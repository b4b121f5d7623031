/**
 * Checks that no read is older than its bound: clients with caches of their own behind a real
 * Varnish, writers, and faults.
 */
@NullMarked
@CheckReturnValue
package io.orestes.coherence;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
