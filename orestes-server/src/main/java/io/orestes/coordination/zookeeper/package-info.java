/** Coordination of servers through ZooKeeper. */
@NullMarked
@CheckReturnValue
package io.orestes.coordination.zookeeper;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
