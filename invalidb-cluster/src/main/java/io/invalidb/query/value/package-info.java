/**
 * BSON values: MongoDB's order and equality, canonical forms, type names, keys, hashes, sizes, and
 * the cost of reading them.
 */
@NullMarked
@CheckReturnValue
package io.invalidb.query.value;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
