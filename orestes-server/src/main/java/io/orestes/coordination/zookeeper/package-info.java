/** Coordination of servers through ZooKeeper, by Curator's framework and its cache of nodes. */
@NullMarked
@CheckReturnValue
package io.orestes.coordination.zookeeper;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
