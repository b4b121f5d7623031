/**
 * Three servers, a MongoDB of three members and a ZooKeeper of three, each process in a network
 * namespace of its own.
 */
@NullMarked
@CheckReturnValue
package io.orestes.histories.cluster;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
