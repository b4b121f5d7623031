/**
 * Clients of a server that tests talk to: requests, event streams, sockets, and bare bytes. What a
 * server answers to them is held against the forms of the protocol.
 */
@NullMarked
@CheckReturnValue
package io.orestes.support.http;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
