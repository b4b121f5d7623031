package io.orestes.app.module;

import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** A composite listener that calls its listeners in turn, each even if one before it throws. */
final class CompositeListener {

    private CompositeListener() {}

    /**
     * Returns a listener that calls both. It throws the exception of the first, unless the second
     * throws as well.
     */
    static <T> Consumer<T> of(Consumer<T> first, Consumer<T> second) {
        return news -> of(() -> first.accept(news), () -> second.accept(news));
    }

    /** Returns a listener to two values that calls both. */
    static <T, U> BiConsumer<T, U> of(BiConsumer<T, U> first, BiConsumer<T, U> second) {
        return (one, other) -> of(() -> first.accept(one, other), () -> second.accept(one, other));
    }

    private static void of(Runnable first, Runnable second) {
        try {
            first.run();
        } finally {
            second.run();
        }
    }
}
