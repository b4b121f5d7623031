/** Programs that tests run against: their processes, folders, ports, and waits for conditions. */
@NullMarked
@CheckReturnValue
package io.orestes.support.process;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
