package io.orestes.replication;

import io.orestes.coordination.Coordinator;
import io.orestes.coordination.Member;
import io.vertx.core.Vertx;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An evictor of unresponsive members, which retries failed evictions for as long as they are
 * requested. Thread-safe.
 */
final class MemberEvictor {

    private static final Logger log = LoggerFactory.getLogger(MemberEvictor.class);
    private static final long RETRY_MILLIS = 500;

    private final Vertx vertx;
    private final Coordinator coordinator;
    private final Set<String> underWay = ConcurrentHashMap.newKeySet();
    private final Set<String> reported = ConcurrentHashMap.newKeySet();

    MemberEvictor(Vertx vertx, Coordinator coordinator) {
        this.vertx = vertx;
        this.coordinator = coordinator;
    }

    /**
     * Requests an eviction; to be called again and again while the member is silent.
     *
     * @param reason end of a sentence about the member, for the log
     */
    void requestEviction(Member member, String reason) {
        if (!underWay.add(member.id())) {
            return;
        }
        if (reported.add(member.id())) {
            log.warn("Member {} {} and will be evicted", member, reason);
        }
        coordinator
                .evict(member)
                .onSuccess(done -> underWay.remove(member.id()))
                .onFailure(failure -> retryLater(member, failure));
    }

    /** Drops the state of a departed member. */
    void cancel(String member) {
        reported.remove(member);
    }

    private void retryLater(Member member, Throwable failure) {
        log.debug("Member {} cannot be evicted now", member, failure);
        long unused = vertx.setTimer(RETRY_MILLIS, later -> underWay.remove(member.id()));
    }
}
