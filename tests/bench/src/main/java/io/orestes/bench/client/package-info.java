/** Load generators, and the network links between them and the measured process. */
@NullMarked
@CheckReturnValue
package io.orestes.bench.client;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
