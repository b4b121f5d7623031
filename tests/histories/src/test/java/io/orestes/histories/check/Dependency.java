package io.orestes.histories.check;

/** Kinds of precedence between two transactions. */
enum Dependency {
    /** The first wrote what the second overwrote. */
    WRITE_WRITE("was overwritten by"),
    /** The first wrote what the second read. */
    WRITE_READ("was read by"),
    /** The first read what the second overwrote. */
    READ_WRITE("did not see"),
    /** The first was answered before the second was requested. */
    TIME("was answered before");

    private final String verb;

    Dependency(String verb) {
        this.verb = verb;
    }

    String verb() {
        return verb;
    }
}
