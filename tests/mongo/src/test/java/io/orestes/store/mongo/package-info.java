/** The MongoDB store on a genuine server: a replica set of one, with and without a password. */
@NullMarked
@CheckReturnValue
package io.orestes.store.mongo;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
