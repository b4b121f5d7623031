/** JSON text to BSON values and back: strict where it reads, quick where it writes. */
@NullMarked
@CheckReturnValue
package io.orestes.json;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
