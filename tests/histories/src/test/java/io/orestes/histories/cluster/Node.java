package io.orestes.histories.cluster;

import io.orestes.support.process.ExternalProgram;

/**
 * A program on a host, which can be killed, started again, and paused. Used by one thread at a
 * time.
 */
public final class Node implements AutoCloseable {

    private final Host host;
    private final ExternalProgram program;

    Node(Host host, ExternalProgram program) {
        this.host = host;
        this.program = program;
    }

    Host host() {
        return host;
    }

    /** Returns the name of its host. */
    String name() {
        return host.name();
    }

    String address() {
        return host.address();
    }

    void start() {
        program.start();
    }

    /** Kills the program at once. */
    void kill() {
        program.kill();
    }

    void pause() {
        program.pause();
    }

    void resume() {
        program.resume();
    }

    boolean isRunning() {
        return program.isRunning();
    }

    /** Returns the end of its log, for failures. */
    String lastWords() {
        return name() + ":\n" + program.logTail().indent(2);
    }

    @Override
    public void close() {
        program.close();
    }
}
