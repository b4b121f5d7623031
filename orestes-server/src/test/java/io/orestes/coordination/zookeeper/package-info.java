/** The contract for servers that meet in ZooKeeper, here in one inside the test. */
@NullMarked
package io.orestes.coordination.zookeeper;

import org.jspecify.annotations.NullMarked;
