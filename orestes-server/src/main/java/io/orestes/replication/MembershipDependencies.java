package io.orestes.replication;

import io.orestes.coordination.Coordinator;
import io.vertx.core.Vertx;

/** The components of this server on which its membership depends. */
record MembershipDependencies(Vertx vertx, PeerGroupConfig config, Coordinator coordinator) {}
