/**
 * Cached queries that InvaliDB watches: their admission and eviction, and the cache keys that a
 * change ends.
 */
@NullMarked
@CheckReturnValue
package io.orestes.read.watch;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
