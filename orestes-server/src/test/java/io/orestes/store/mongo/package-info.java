/** Tests of the MongoDB store that need no server. */
@NullMarked
@CheckReturnValue
package io.orestes.store.mongo;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
