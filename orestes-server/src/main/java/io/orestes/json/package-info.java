/** JSON text to BSON values and back, with strict reading and fast writing. */
@NullMarked
@CheckReturnValue
package io.orestes.json;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
