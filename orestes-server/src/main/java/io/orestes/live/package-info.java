/**
 * Live queries: subscriptions, initial results, match events for subscribers, and checks of their
 * rights.
 */
@NullMarked
@CheckReturnValue
package io.orestes.live;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
