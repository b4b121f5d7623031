/**
 * One {@code XRoutes} per resource, header parsing, failure rendering; translates HTTP, decides
 * nothing.
 */
@NullMarked
@CheckReturnValue
package io.orestes.http;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
