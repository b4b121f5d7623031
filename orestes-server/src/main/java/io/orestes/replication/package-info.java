/**
 * Replication between the servers of a group: membership, messages, state transfer and
 * acknowledgements of all.
 */
@NullMarked
@CheckReturnValue
package io.orestes.replication;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
