/**
 * What other programs write to the store, and what a server wrote that told nobody: noticed by one
 * server, and told to all.
 */
@NullMarked
@CheckReturnValue
package io.orestes.changefeed;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
