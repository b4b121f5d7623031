/** What of the store in MongoDB needs no server. */
@NullMarked
@CheckReturnValue
package io.orestes.store.mongo;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
