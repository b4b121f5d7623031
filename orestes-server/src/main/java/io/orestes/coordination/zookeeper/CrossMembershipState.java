package io.orestes.coordination.zookeeper;

import io.orestes.coordination.MembershipLease;
import io.orestes.coordination.MembershipListener;
import io.orestes.coordination.TransactionResolver;
import java.util.List;
import java.util.Map;

/**
 * The state of one server that outlasts its memberships.
 *
 * @param lease the lease of the current membership, ended between memberships
 * @param candidates candidacies by task
 * @param transactionResolver resolver of the transactions of departed members
 */
record CrossMembershipState(
        MembershipLease lease,
        List<MembershipListener> listeners,
        Map<String, ZooKeeperCandidate> candidates,
        TransactionResolver transactionResolver) {}
