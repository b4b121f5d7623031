/** The façade of InvaliDB in this process: positions, subscriptions, options. */
@NullMarked
@CheckReturnValue
package io.invalidb.node;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
