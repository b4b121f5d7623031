/**
 * What a match event causes: pushes to live subscribers and stale query results; first result of a
 * live query.
 */
@NullMarked
@CheckReturnValue
package io.orestes.live;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
