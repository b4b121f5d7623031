/**
 * Partial updates (protocol §9): from their JSON form to typed operations, and from one state of an
 * object to the next.
 */
@NullMarked
@CheckReturnValue
package io.orestes.update;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
