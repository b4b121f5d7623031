/**
 * The sorting stage: the window of one sorted query, maintained from the events of the filter
 * stage; pure and single-threaded.
 */
@NullMarked
@CheckReturnValue
package io.invalidb.sorting;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
