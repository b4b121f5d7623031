package io.orestes.schema.migration;

/** The policy of a schema change for stored values that do not fit: refuse or convert. */
public enum MisfitPolicy {
    /** The change is refused. */
    REFUSE,
    /**
     * Values become the nearest one, or {@code null}. A value that violates constraints is still
     * refused.
     */
    CONVERT
}
