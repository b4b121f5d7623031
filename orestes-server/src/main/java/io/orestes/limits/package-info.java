/** Budgets of bytes that many requests or subscriptions share, with or without eviction. */
@NullMarked
@CheckReturnValue
package io.orestes.limits;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
