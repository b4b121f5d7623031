/** Reads of objects: single ones, whole classes, and objects with those they refer to. */
@NullMarked
@CheckReturnValue
package io.orestes.read.object;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
