package io.orestes.ops;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/** The metric registry of this process and its Prometheus text form. */
public final class Metrics {

    public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    /** Returns the registry for the meters of all packages. */
    public MeterRegistry registry() {
        return registry;
    }

    /** Returns all meters as text. */
    public String scrape() {
        return registry.scrape();
    }
}
