/**
 * Resources that a client loads before its first request: the handshake, version and description of
 * the interface, the pages and the SDK.
 */
@NullMarked
@CheckReturnValue
package io.orestes.http.entry;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
