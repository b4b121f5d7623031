/**
 * The group commit: the single writer thread, its queue, the mutations it evaluates in order of
 * arrival, and the delivery of their results.
 */
@NullMarked
@CheckReturnValue
package io.orestes.store.embedded.commit;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
