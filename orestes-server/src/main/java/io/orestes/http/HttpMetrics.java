package io.orestes.http;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** Every meter of this package; the names are part of the operator's interface. */
final class HttpMetrics {

    private HttpMetrics() {}

    static void bind(MeterRegistry registry, BodyBudget bodies) {
        Gauge.builder("orestes.http.bodies.pending", bodies, BodyBudget::pendingBytes)
                .description("Room taken by request bodies that are under way")
                .baseUnit("bytes")
                .register(registry);
    }
}
