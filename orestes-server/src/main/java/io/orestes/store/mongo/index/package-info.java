/**
 * The declared indexes of all buckets: their catalog, their construction in MongoDB, and the hidden
 * fields that documents contain for them.
 */
@NullMarked
@CheckReturnValue
package io.orestes.store.mongo.index;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
