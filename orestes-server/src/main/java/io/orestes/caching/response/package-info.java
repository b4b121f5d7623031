/**
 * The shared cache inside the server: ready-made responses, evicted when the state they show
 * changes.
 */
@NullMarked
@CheckReturnValue
package io.orestes.caching.response;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
