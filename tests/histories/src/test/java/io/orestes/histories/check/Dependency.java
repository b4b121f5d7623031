package io.orestes.histories.check;

/** Why one transaction comes before another. */
enum Dependency {
    /** It wrote what the other one overwrote. */
    WRITE_WRITE("was overwritten by"),
    /** It wrote what the other one read. */
    WRITE_READ("was read by"),
    /** It read what the other one overwrote. */
    READ_WRITE("did not see"),
    /** It was answered before the other one was asked for. */
    TIME("was answered before");

    private final String verb;

    Dependency(String verb) {
        this.verb = verb;
    }

    String verb() {
        return verb;
    }
}
