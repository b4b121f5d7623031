/** Times to live of objects and query results, estimated from how often they change. */
@NullMarked
@CheckReturnValue
package io.orestes.caching.ttl;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
