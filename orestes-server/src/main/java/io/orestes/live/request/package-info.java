/** Requests of subscribers: a live query as text, its parsed form, and the limits of both. */
@NullMarked
@CheckReturnValue
package io.orestes.live.request;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
