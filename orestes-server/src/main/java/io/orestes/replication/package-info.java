/**
 * The other servers of the group: links to them, what they are told and what they tell, and when
 * all know something.
 */
@NullMarked
@CheckReturnValue
package io.orestes.replication;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
