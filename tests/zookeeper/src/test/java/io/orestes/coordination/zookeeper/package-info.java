/** Coordination by an ensemble of three ZooKeeper processes that are killed and stopped. */
@NullMarked
package io.orestes.coordination.zookeeper;

import org.jspecify.annotations.NullMarked;
