package io.orestes.support.process;

import java.util.List;
import java.util.Map;

/**
 * The context in which a program runs, such as a network namespace or another clock.
 *
 * @param prefix what precedes its command line, such as {@code ip netns exec name}
 * @param environment variables that are added to those of this process
 */
public record ExecutionContext(List<String> prefix, Map<String, String> environment) {

    /** The context of this process. */
    public static final ExecutionContext HERE = new ExecutionContext(List.of(), Map.of());

    public ExecutionContext {
        prefix = List.copyOf(prefix);
        environment = Map.copyOf(environment);
    }

    /** Returns a context whose programs are started by another command. */
    public static ExecutionContext prefixed(List<String> prefix) {
        return new ExecutionContext(prefix, Map.of());
    }
}
