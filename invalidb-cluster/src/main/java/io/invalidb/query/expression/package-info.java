/**
 * The expressions of {@code $expr}: parsed and evaluated over one document, with arithmetic and
 * string functions.
 */
@NullMarked
@CheckReturnValue
package io.invalidb.query.expression;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
