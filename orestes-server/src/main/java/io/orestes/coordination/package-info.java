/** What the servers of one group agree on: who is a member, who leads, who holds which locks. */
@NullMarked
@CheckReturnValue
package io.orestes.coordination;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
