/**
 * The door to InvaliDB: committed writes and queries in, match events out to the listener that
 * {@code app} wires; and which writes are not answered yet.
 */
@NullMarked
@CheckReturnValue
package io.orestes.invalidb;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
