package io.orestes.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Client;
import io.orestes.support.process.Waiting;
import io.orestes.system.Backend;
import io.orestes.system.TransactionMistakesContract;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The contract on servers whose locks are in ZooKeeper: after a mistake at one the next commit is
 * done at another.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 4, unit = TimeUnit.MINUTES)
final class TransactionMistakesOfGroupsTest extends TransactionMistakesContract {

    private static final String TIMEOUT = "--transaction.timeout=30s";
    private static final int HEX_DIGITS_OF_END = 12;

    private final ServerGroup group;
    private final Backend backend;
    private final String expiring;

    TransactionMistakesOfGroupsTest(@TempDir Path folder) throws Exception {
        group = new ServerGroup(folder, 2, TIMEOUT);
        backend = Backend.of(group.server(0));
        expiring = begin(group.anonymous(0));
    }

    @Override
    protected Backend backend() {
        return backend;
    }

    @Override
    protected Client next() {
        return group.anonymous(1);
    }

    @AfterAll
    void close() {
        group.close();
    }

    @Test
    void commit_expired_is472OnAllServers() {
        long end = Long.parseLong(expiring.substring(0, HEX_DIGITS_OF_END), 16);
        Waiting.until("it is expired", () -> System.currentTimeMillis() > end);

        for (int server = 0; server < 2; server++) {
            Client client = group.anonymous(server);
            assertThat(commit(client, expiring, increment()).status()).isEqualTo(472);
        }

        assertUntouchedAndFree();
    }
}
