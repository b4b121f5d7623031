/** Credentials and passwords: hashing by Argon2id off the event loops, verification and change. */
@NullMarked
@CheckReturnValue
package io.orestes.auth.password;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
