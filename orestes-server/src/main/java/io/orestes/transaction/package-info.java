/**
 * Transactions (protocol §12): their ids and time-outs, the parsing of commit requests, and the
 * conditions of a commit.
 */
@NullMarked
@CheckReturnValue
package io.orestes.transaction;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
