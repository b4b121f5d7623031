/**
 * Access tokens: their issue and verification, and the authentication of requests with present
 * roles.
 */
@NullMarked
@CheckReturnValue
package io.orestes.auth.token;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
