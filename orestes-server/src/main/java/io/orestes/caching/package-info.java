/**
 * Response cache, filter of stale keys, times to live and purges; {@code Caches} is the only entry
 * point.
 */
@NullMarked
@CheckReturnValue
package io.orestes.caching;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
