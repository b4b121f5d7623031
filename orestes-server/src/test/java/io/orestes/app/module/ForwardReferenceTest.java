package io.orestes.app.module;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class ForwardReferenceTest {

    private final ForwardReference<String> reference = new ForwardReference<>();

    @Test
    void get_afterResolve_returnsTheComponent() {
        reference.resolve("writes");

        assertThat(reference.get()).isEqualTo("writes");
    }

    @Test
    void get_beforeResolve_fails() {
        assertThatThrownBy(reference::get).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void resolve_twice_fails() {
        reference.resolve("writes");

        assertThatThrownBy(() -> reference.resolve("others")).isInstanceOf(IllegalStateException.class);
        assertThat(reference.get()).isEqualTo("writes");
    }
}
