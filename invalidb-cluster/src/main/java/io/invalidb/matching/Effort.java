package io.invalidb.matching;

/**
 * What it took to match writes.
 *
 * @param candidates filters that the index found
 * @param evaluations filters that were evaluated; the others were told not to match without that
 */
public record Effort(long candidates, long evaluations) {

    static final Effort NONE = new Effort(0, 0);

    Effort plus(Effort other) {
        return new Effort(candidates + other.candidates, evaluations + other.evaluations);
    }
}
