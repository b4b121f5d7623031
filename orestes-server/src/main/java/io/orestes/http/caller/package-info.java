/**
 * The caller of a request: client addresses behind proxies, rate limits and bans, authentication,
 * log-in and credentials.
 */
@NullMarked
@CheckReturnValue
package io.orestes.http.caller;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
