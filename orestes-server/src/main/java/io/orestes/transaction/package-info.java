/**
 * Transactions (protocol §12): their identities and time-outs, what a commit asks for, and when it
 * may be done.
 */
@NullMarked
@CheckReturnValue
package io.orestes.transaction;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
