/** Tells shared caches such as Varnish what to forget, until they confirm it. */
@NullMarked
@CheckReturnValue
package io.orestes.caching.purge;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
