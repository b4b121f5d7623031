/**
 * Clients that read and write through all servers of a group while its parts fail, and their
 * histories.
 */
@NullMarked
@CheckReturnValue
package io.orestes.histories.workload;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
