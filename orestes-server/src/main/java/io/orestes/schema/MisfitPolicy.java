package io.orestes.schema;

/** What a change of the schema does with stored values that do not fit it. */
enum MisfitPolicy {
    /** The change is refused. */
    REFUSE,
    /** They become what is nearest to them, or {@code null}. What violates constraints is refused all the same. */
    CONVERT
}
