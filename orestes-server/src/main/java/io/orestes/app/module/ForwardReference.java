package io.orestes.app.module;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * A reference to a component that is created after a component that uses it. It breaks a cycle
 * between two modules visibly: the earlier one gets the reference, and the later one resolves it
 * once, before the server starts. Thread-safe.
 */
final class ForwardReference<T> implements Supplier<T> {

    private final AtomicReference<T> target = new AtomicReference<>();

    /** Sets the component; to be called once. */
    void resolve(T component) {
        if (!target.compareAndSet(null, component)) {
            throw new IllegalStateException("Resolved already: " + component);
        }
    }

    /** Returns the component. */
    @Override
    public T get() {
        T component = target.get();
        if (component == null) {
            throw new IllegalStateException("Used before the component was created");
        }
        return component;
    }
}
