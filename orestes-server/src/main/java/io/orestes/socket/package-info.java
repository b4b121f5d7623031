/**
 * Connections that stay open: event streams (SSE) and WebSockets, their frames to commands and
 * events to frames.
 */
@NullMarked
@CheckReturnValue
package io.orestes.socket;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
