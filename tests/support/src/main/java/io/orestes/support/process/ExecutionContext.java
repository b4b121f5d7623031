package io.orestes.support.process;

import java.util.List;
import java.util.Map;

/**
 * Where a program runs, such as in a network namespace or by another clock.
 *
 * @param prefix what stands before its command line, such as {@code ip netns exec name}
 * @param environment variables that are added to those of this process
 */
public record ExecutionContext(List<String> prefix, Map<String, String> environment) {

    /** That of this process. */
    public static final ExecutionContext HERE = new ExecutionContext(List.of(), Map.of());

    public ExecutionContext {
        prefix = List.copyOf(prefix);
        environment = Map.copyOf(environment);
    }

    /** One whose programs are started by another command. */
    public static ExecutionContext prefixed(List<String> prefix) {
        return new ExecutionContext(prefix, Map.of());
    }
}
