/**
 * The {@code ObjectStore} interface and its contract; {@code store.embedded} implements it and
 * depends on nothing else of it.
 */
@NullMarked
@CheckReturnValue
package io.orestes.store;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
