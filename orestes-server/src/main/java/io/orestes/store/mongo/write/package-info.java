/**
 * Writes of one object, of a batch and of a whole bucket by optimistic concurrency control: plan,
 * conditional write, conflict, doubt and retry.
 */
@NullMarked
@CheckReturnValue
package io.orestes.store.mongo.write;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
