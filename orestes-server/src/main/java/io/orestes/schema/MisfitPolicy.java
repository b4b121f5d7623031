package io.orestes.schema;

/** The policy of a schema change for stored values that do not fit: refuse or convert. */
enum MisfitPolicy {
    /** The change is refused. */
    REFUSE,
    /**
     * Values become the nearest one, or {@code null}. A value that violates constraints is still
     * refused.
     */
    CONVERT
}
