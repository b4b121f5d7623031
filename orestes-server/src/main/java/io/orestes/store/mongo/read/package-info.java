/** Reads by id and by query at each read level, batched when they arrive together. */
@NullMarked
@CheckReturnValue
package io.orestes.store.mongo.read;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
