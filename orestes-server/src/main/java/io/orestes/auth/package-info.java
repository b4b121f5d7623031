/**
 * Authentication and authorisation: tokens, log-in, roles, class and object permission decisions.
 */
@NullMarked
@CheckReturnValue
package io.orestes.auth;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
