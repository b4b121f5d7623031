/**
 * The aggregation stage: the groups of one live aggregate, maintained from the events of the filter
 * stage; pure and single-threaded.
 */
@NullMarked
@CheckReturnValue
package io.invalidb.aggregation;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
