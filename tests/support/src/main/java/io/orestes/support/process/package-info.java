/**
 * Programs that tests run against: their processes, folders and ports, and how to wait for them.
 */
@NullMarked
@CheckReturnValue
package io.orestes.support.process;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
