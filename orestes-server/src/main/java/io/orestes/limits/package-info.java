/** Budgets of memory that many requests or subscriptions share. */
@NullMarked
@CheckReturnValue
package io.orestes.limits;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
