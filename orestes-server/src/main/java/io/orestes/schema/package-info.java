/** Class definitions, type rules, defaults, validation and schema changes. */
@NullMarked
@CheckReturnValue
package io.orestes.schema;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
