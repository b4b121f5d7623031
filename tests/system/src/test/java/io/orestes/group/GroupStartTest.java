package io.orestes.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.mongo.Mongod;
import io.orestes.support.server.Launcher;
import io.orestes.support.server.RunningCommand;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that cannot join its group reports the reason, and ends. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class GroupStartTest {

    private final Path folder;

    GroupStartTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void start_malformedAddresses_listsThemAndExitsWith2() throws Exception {
        try (RunningCommand command = start("mongodb://127.0.0.1:1/shop", "127.0.0.1:x", "--group.host=0.0.0.0")) {
            assertThat(command.exitCode()).isEqualTo(2);
            assertThat(command.errors()).contains("--zookeeper is no list", "--group.host is no name");
        }
    }

    @Test
    void start_zooKeeperUnreachable_namesItAndExitsWith8() throws Exception {
        try (Mongod mongo = Mongod.replicaSet(folder.resolve("mongo"));
                RunningCommand command = start(mongo.connectionString("shop"), "127.0.0.1:1")) {
            assertThat(command.exitCode()).isEqualTo(8);
            assertThat(command.errors())
                    .contains("ZooKeeper at 127.0.0.1:1 cannot be used: it was not reached within 6000 ms");
        }
    }

    private RunningCommand start(String mongo, String zookeeper, String... more) {
        String[] arguments = {
            "start", "--port=0", "--data=" + folder.resolve("data"), "--mongo=" + mongo, "--zookeeper=" + zookeeper
        };
        String[] all = new String[arguments.length + more.length];
        System.arraycopy(arguments, 0, all, 0, arguments.length);
        System.arraycopy(more, 0, all, arguments.length, more.length);
        return Launcher.here().run(all);
    }
}
