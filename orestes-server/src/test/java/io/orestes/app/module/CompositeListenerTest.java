package io.orestes.app.module;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class CompositeListenerTest {

    private final List<String> received = new ArrayList<>();

    @Test
    void of_nothingThrows_notifiesBothInOrder() {
        Consumer<String> both =
                CompositeListener.of(news -> received.add("first " + news), news -> received.add("second " + news));

        both.accept("match");

        assertThat(received).containsExactly("first match", "second match");
    }

    @Test
    void of_theFirstThrows_notifiesTheSecondAllTheSame() {
        Consumer<String> both = CompositeListener.of(CompositeListenerTest::fail, received::add);
        BiConsumer<String, Integer> ofTwo =
                CompositeListener.of((one, other) -> fail(one), (one, other) -> received.add(one + other));

        assertThatThrownBy(() -> both.accept("match")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> ofTwo.accept("failure", 1)).isInstanceOf(IllegalStateException.class);

        assertThat(received).containsExactly("match", "failure1");
    }

    private static void fail(String news) {
        throw new IllegalStateException(news);
    }
}
