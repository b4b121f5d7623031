/** Coordination contracts for servers of one process. */
@NullMarked
package io.orestes.coordination.local;

import org.jspecify.annotations.NullMarked;
