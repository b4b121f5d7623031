/** Purges of shared caches such as Varnish, repeated until they are confirmed. */
@NullMarked
@CheckReturnValue
package io.orestes.caching.purge;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
