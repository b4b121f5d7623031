/** The port of one server to the other servers of its group. */
@NullMarked
@CheckReturnValue
package io.orestes.group;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
