/**
 * The types of fields: basic, class and collection types, their references, names and basic values.
 */
@NullMarked
@CheckReturnValue
package io.orestes.schema.type;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
