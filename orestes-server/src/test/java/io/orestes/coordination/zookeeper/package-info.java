/** Coordination contracts for servers on ZooKeeper, here on one server inside the test. */
@NullMarked
package io.orestes.coordination.zookeeper;

import org.jspecify.annotations.NullMarked;
