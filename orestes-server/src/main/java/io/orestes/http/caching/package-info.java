/**
 * Caching of responses by HTTP: the freshness that a read demands, conditional requests, headers of
 * storable responses, the Bloom filter, and the view of all caches for admins.
 */
@NullMarked
@CheckReturnValue
package io.orestes.http.caching;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
