/** Loading objects and running queries, choosing their TTLs and cache headers. */
@NullMarked
@CheckReturnValue
package io.orestes.read;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
