package io.orestes.schema;

/** The policy of a schema change for stored values that do not fit: refuse or convert. */
enum MisfitPolicy {
    /** The change is refused. */
    REFUSE,
    /**
     * They become what is nearest to them, or {@code null}. What violates constraints is refused
     * all the same.
     */
    CONVERT
}
