package io.orestes.support.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A process and its descendants. It ends with this process at the latest. */
public final class ProcessTree {

    private static final int END_SECONDS = 60;
    private static final Set<ProcessTree> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> RUNNING.forEach(ProcessTree::destroy)));
    }

    private final Process root;

    /** Creates the tree of a process that was just started. */
    public ProcessTree(Process root) {
        this.root = root;
        RUNNING.add(this);
    }

    /** Returns the process and its descendants that have not ended. */
    public List<ProcessHandle> parts() {
        return Stream.concat(Stream.of(root.toHandle()), root.descendants()).toList();
    }

    /** Returns whether the first process has not ended. */
    public boolean isAlive() {
        return root.isAlive();
    }

    /** Kills all parts by SIGKILL, and waits for their end. */
    public void kill() {
        List<ProcessHandle> killed = parts();
        killed.forEach(ProcessHandle::destroyForcibly);
        killed.forEach(ProcessTree::awaitEnd);
        RUNNING.remove(this);
    }

    /** Ends the first process by SIGTERM, which may end the others, and returns its exit code. */
    public int stop() {
        // unlike destroy() of the process, this leaves its output readable
        root.toHandle().destroy();
        awaitEnd(root.toHandle());
        RUNNING.remove(this);
        return root.exitValue();
    }

    private void destroy() {
        parts().forEach(ProcessHandle::destroyForcibly);
    }

    private static void awaitEnd(ProcessHandle part) {
        ProcessHandle unused =
                part.onExit().orTimeout(END_SECONDS, TimeUnit.SECONDS).join();
    }

    /** Sends a signal such as {@code STOP} to one process. */
    public static void signal(String name, ProcessHandle target) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, String.valueOf(target.pid())).start();
            int code = kill.onExit()
                    .orTimeout(END_SECONDS, TimeUnit.SECONDS)
                    .join()
                    .exitValue();
            // a part that has ended needs no signal
            if (code != 0 && target.isAlive()) {
                throw new AssertionError("No signal " + name + " to process " + target.pid());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
