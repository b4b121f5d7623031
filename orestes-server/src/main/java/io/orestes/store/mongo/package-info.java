/**
 * The {@code ObjectStore} that stores its objects in MongoDB, where other programs may read them: a
 * collection for each class.
 */
@NullMarked
@CheckReturnValue
package io.orestes.store.mongo;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
