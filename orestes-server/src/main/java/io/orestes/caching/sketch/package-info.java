/**
 * The keys that may be stale in caches that nobody can purge, as a Bloom filter that clients load.
 */
@NullMarked
@CheckReturnValue
package io.orestes.caching.sketch;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
