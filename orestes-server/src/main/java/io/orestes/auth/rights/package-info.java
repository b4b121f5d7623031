/**
 * Authorisation: access rules, users and roles as stored, writes that change rights, and the
 * invariant that an active admin remains.
 */
@NullMarked
@CheckReturnValue
package io.orestes.auth.rights;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
