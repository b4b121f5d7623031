/**
 * MongoDB filters and sort orders: parsed, brought to a normal form, compiled to a predicate and a
 * comparator.
 */
@NullMarked
@CheckReturnValue
package io.invalidb.query;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
