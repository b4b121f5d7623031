package io.orestes.coordination;

import static io.orestes.store.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;

/** Servers of one group, which leave it after each test. */
public abstract class GroupFixture {

    /** Times short enough for a test, and long enough for a busy machine. */
    protected static final CoordinationTimeouts TIMES = new CoordinationTimeouts(
            Duration.ofSeconds(5), Duration.ofMillis(500), Duration.ofSeconds(8), Duration.ofSeconds(10));

    /** Times whose sessions outlast any outage in a test, while leases end soon. */
    protected static final CoordinationTimeouts LONG_SESSION_TIMES = new CoordinationTimeouts(
            Duration.ofSeconds(2), Duration.ofMillis(500), Duration.ofSeconds(30), Duration.ofSeconds(10));

    protected static final TransactionResolver NO_TRANSACTIONS = transaction -> {
        throw new AssertionError("unexpected transaction " + transaction);
    };

    protected final Vertx vertx = Vertx.vertx();
    private final List<Coordinator> servers = new ArrayList<>();

    /** Creates another server of this test's own group. */
    protected abstract Coordinator newServer(TransactionResolver transactionResolver);

    @AfterEach
    void leaveAndClose() {
        servers.forEach(server -> await(server.close()));
        await(vertx.close());
    }

    /** Creates a server that has not joined. */
    protected final Coordinator server(TransactionResolver transactionResolver) {
        Coordinator server = newServer(transactionResolver);
        servers.add(server);
        return server;
    }

    /** Joins a server that never has to resolve a transaction of a departed one. */
    protected final Coordinator joined(String info) {
        return joined(info, NO_TRANSACTIONS);
    }

    protected final Coordinator joined(String info, TransactionResolver transactionResolver) {
        Coordinator server = server(transactionResolver);
        assertThat(await(server.join(info)).info()).isEqualTo(info);
        return server;
    }

    /** Returns the member with this info, as the server sees it. */
    protected static Member self(Coordinator server, String info) {
        return server.members().stream()
                .filter(member -> member.info().equals(info))
                .findFirst()
                .orElseThrow();
    }

    /** Waits until a condition holds, 60 s at most. */
    protected static void eventually(BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as("nanoseconds beyond 60 s").isNegative();
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
    }

    protected static Future<Void> done() {
        return Future.succeededFuture();
    }
}
