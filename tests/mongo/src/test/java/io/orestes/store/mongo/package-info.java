/** The MongoDB store on a genuine server: a replica set of one, a standalone server, and one that asks for a password. */
@NullMarked
@CheckReturnValue
package io.orestes.store.mongo;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
