/**
 * The secondary indexes: their definitions, the encoding of values as ordered keys, the entries of
 * an object, and unique constraints.
 */
@NullMarked
@CheckReturnValue
package io.orestes.store.embedded.index;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
