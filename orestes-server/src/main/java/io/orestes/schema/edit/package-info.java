/**
 * The operations of a schema request, applied to a draft under rules and permissions, and the
 * difference of two schemas as such operations.
 */
@NullMarked
@CheckReturnValue
package io.orestes.schema.edit;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
