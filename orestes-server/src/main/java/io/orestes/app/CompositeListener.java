package io.orestes.app;

import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** A composite listener that calls its listeners in turn, each even if one before it throws. */
final class CompositeListener {

    private CompositeListener() {}

    /** Tells both; throws what the first has thrown, unless the second throws as well. */
    static <T> Consumer<T> both(Consumer<T> first, Consumer<T> second) {
        return news -> both(() -> first.accept(news), () -> second.accept(news));
    }

    /** The same for two values. */
    static <T, U> BiConsumer<T, U> both(BiConsumer<T, U> first, BiConsumer<T, U> second) {
        return (one, other) -> both(() -> first.accept(one, other), () -> second.accept(one, other));
    }

    private static void both(Runnable first, Runnable second) {
        try {
            first.run();
        } finally {
            second.run();
        }
    }
}
