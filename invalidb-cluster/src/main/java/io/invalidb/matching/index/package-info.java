/**
 * The index of the live queries of one bucket: candidate filters by value, interval, prefix and
 * rectangle, with the queries and results they stand for.
 */
@NullMarked
@CheckReturnValue
package io.invalidb.matching.index;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
