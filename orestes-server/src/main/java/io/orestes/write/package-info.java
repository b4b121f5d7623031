/**
 * The order of stages for each kind of write: insert, replace, partial update, delete, and their
 * bulk forms.
 */
@NullMarked
@CheckReturnValue
package io.orestes.write;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
