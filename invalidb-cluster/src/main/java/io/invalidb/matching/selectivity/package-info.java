/**
 * The choice of the condition by which the index finds a filter, by the share of sampled documents
 * that meet each.
 */
@NullMarked
@CheckReturnValue
package io.invalidb.matching.selectivity;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
