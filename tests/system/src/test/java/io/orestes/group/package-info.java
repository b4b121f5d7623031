/**
 * Several servers on one MongoDB that meet at a ZooKeeper ensemble, all of them processes of their
 * own.
 */
@NullMarked
@CheckReturnValue
package io.orestes.group;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
