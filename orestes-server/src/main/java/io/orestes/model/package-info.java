/**
 * Values that every stage shares: references, stored objects, permissions, principals,
 * preconditions, error codes.
 */
@NullMarked
@CheckReturnValue
package io.orestes.model;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
