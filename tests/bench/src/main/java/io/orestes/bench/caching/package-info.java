/**
 * Benchmarks of the caches: sketch and response cache alone, purges and Varnish, and distant users
 * with the SDK's rules in their browsers.
 */
@NullMarked
@CheckReturnValue
package io.orestes.bench.caching;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
