/**
 * Schema changes between servers and restarts: plan, stored form and journal, recovery,
 * coordination, and the replicated data type in which concurrent changes join.
 */
@NullMarked
@CheckReturnValue
package io.orestes.schema.change;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
