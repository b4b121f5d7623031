/**
 * Live events: their position in the sequence of a query, their text, and the log from which
 * clients resume.
 */
@NullMarked
@CheckReturnValue
package io.orestes.live.event;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
