/**
 * What caches may keep, for how long, and how they learn that it changed; every way in leads
 * through {@code Caches}.
 */
@NullMarked
@CheckReturnValue
package io.orestes.caching;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
