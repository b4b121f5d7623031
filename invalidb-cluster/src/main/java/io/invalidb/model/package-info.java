/**
 * The input and output of InvaliDB: committed writes, queries, match events. Plain values, no
 * behaviour.
 */
@NullMarked
@CheckReturnValue
package io.invalidb.model;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
