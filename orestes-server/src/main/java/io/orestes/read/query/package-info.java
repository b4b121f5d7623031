/**
 * Pull queries, counts, prepared queries and aggregates: parsing, execution, and the decision
 * whether a result is cached.
 */
@NullMarked
@CheckReturnValue
package io.orestes.read.query;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
