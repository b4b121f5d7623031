package io.orestes.support.zookeeper;

import io.orestes.support.process.ExternalProgram;
import io.orestes.support.process.Folders;
import io.orestes.support.process.Waiting;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A ZooKeeper ensemble of one process for each server, numbered from 0. Closing it kills the
 * processes and removes their folder.
 */
public final class Ensemble implements AutoCloseable {

    private final EnsembleBuilder options;
    private final List<ZooKeeperServer> servers;

    Ensemble(EnsembleBuilder options) {
        this.options = options;
        this.servers = IntStream.range(0, options.members().size())
                .mapToObj(number -> new ZooKeeperServer(options, number))
                .toList();
    }

    /**
     * Returns a builder of an ensemble with its data in a folder, which is empty or does not exist
     * yet.
     */
    public static EnsembleBuilder in(Path folder) {
        return new EnsembleBuilder(folder);
    }

    /** Returns a builder of an ensemble with its data among the temporary files. */
    public static EnsembleBuilder inTemporaryFolder() {
        return in(Folders.temporary("zookeeper"));
    }

    void startAll() {
        processes().forEach(ExternalProgram::start);
        servers.forEach(server -> server.process().await("ZooKeeper serves", server::serves));
    }

    /** Returns the address of all servers for clients. */
    public String address() {
        return options.members().stream().map(EnsembleMember::address).collect(Collectors.joining(","));
    }

    /** Returns the address of one server for clients. */
    public String address(int number) {
        return options.members().get(number).address();
    }

    /** Returns the number of the leader. */
    public int leader() {
        return Waiting.forAnswer("ZooKeeper has a leader", this::findLeader, number -> number >= 0);
    }

    private int findLeader() {
        return IntStream.range(0, servers.size())
                .filter(number -> servers.get(number).isMode("leader"))
                .findFirst()
                .orElse(-1);
    }

    /** Waits until no session has an ephemeral node, such as after all servers were killed. */
    public void awaitNoEphemerals() {
        Waiting.until("the sessions have expired", () -> servers.stream()
                .allMatch(server -> server.ask("dump").contains("Sessions with Ephemerals (0)")));
    }

    /** Returns the processes of all servers, for suites that stop and start them among others. */
    public List<ExternalProgram> processes() {
        return servers.stream().map(ZooKeeperServer::process).toList();
    }

    /** Kills a server at once, as the kernel would. */
    public void kill(int number) {
        processes().get(number).kill();
    }

    /** Starts killed servers, and waits until all serve. */
    public void restart(int... numbers) {
        IntStream.of(numbers).forEach(number -> processes().get(number).start());
        servers.forEach(server -> server.process().await("ZooKeeper serves", server::serves));
    }

    /** Pauses a server. */
    public void pause(int number) {
        processes().get(number).pause();
    }

    public void resume(int number) {
        processes().get(number).resume();
    }

    @Override
    public void close() {
        processes().forEach(ExternalProgram::close);
        Folders.delete(options.folder());
    }
}
