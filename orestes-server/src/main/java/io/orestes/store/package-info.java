/**
 * The interface {@code ObjectStore} and the types of its contract, which {@code store.embedded} and
 * {@code store.mongo} implement.
 */
@NullMarked
@CheckReturnValue
package io.orestes.store;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
