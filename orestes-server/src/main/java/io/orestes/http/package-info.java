/**
 * HTTP resources: one {@code XRoutes} per resource, header parsing, failure rendering; it
 * translates HTTP and decides nothing.
 */
@NullMarked
@CheckReturnValue
package io.orestes.http;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
