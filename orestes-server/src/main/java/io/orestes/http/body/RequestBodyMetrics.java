package io.orestes.http.body;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** The meters of this package; their names are part of the operator's interface. */
final class RequestBodyMetrics {

    private RequestBodyMetrics() {}

    static void bind(MeterRegistry registry, BodyBudget bodies) {
        Gauge.builder("orestes.http.bodies.pending", bodies, BodyBudget::pendingBytes)
                .description("Memory reserved for request bodies in progress")
                .baseUnit("bytes")
                .register(registry);
    }
}
