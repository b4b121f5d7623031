/**
 * What goes into InvaliDB and comes out: committed writes, queries, match events. Plain values, no
 * behaviour.
 */
@NullMarked
@CheckReturnValue
package io.invalidb.model;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
