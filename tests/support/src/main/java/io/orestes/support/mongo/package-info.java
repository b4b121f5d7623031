/** A genuine mongod, and a replica set of three. */
@NullMarked
@CheckReturnValue
package io.orestes.support.mongo;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
