/**
 * Explanations of permissions: the checks of an operation in their order, and the result of each.
 */
@NullMarked
@CheckReturnValue
package io.orestes.read.explanation;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
