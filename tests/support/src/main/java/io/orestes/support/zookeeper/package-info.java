/** A ZooKeeper ensemble. */
@NullMarked
@CheckReturnValue
package io.orestes.support.zookeeper;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
