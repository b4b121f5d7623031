/** Membership, leader election and locks of the servers of one group. */
@NullMarked
@CheckReturnValue
package io.orestes.coordination;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
