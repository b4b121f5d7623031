/**
 * Accounts: the built-in ones, the first password of root, registration, log-in and renewal of
 * sessions.
 */
@NullMarked
@CheckReturnValue
package io.orestes.auth.account;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
