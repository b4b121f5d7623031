/**
 * Several servers on one MongoDB that coordinate by a ZooKeeper ensemble, all in processes of their
 * own.
 */
@NullMarked
@CheckReturnValue
package io.orestes.group;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
