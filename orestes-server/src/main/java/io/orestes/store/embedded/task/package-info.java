/**
 * Tasks on many objects that the committer runs in bounded steps between its groups: index builds
 * and drops, rewrites, truncations, drops of buckets, the sweep of tombstones.
 */
@NullMarked
@CheckReturnValue
package io.orestes.store.embedded.task;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
