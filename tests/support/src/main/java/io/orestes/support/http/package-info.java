/**
 * HTTP clients of tests: requests, event streams, sockets, and bare bytes. The answers of a server
 * are validated against the forms of the protocol.
 */
@NullMarked
@CheckReturnValue
package io.orestes.support.http;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
