/**
 * Query matching and sorting compared with a genuine mongod, on documents and queries generated
 * from seeds.
 */
@NullMarked
@CheckReturnValue
package io.orestes.differential;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
