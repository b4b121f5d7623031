package io.invalidb.matching;

/** Told by a cell what it does, by the thread that owns the cell. */
public interface CellMeter {

    /** Nobody wants to know. */
    CellMeter NONE = new CellMeter() {
        @Override
        public void reached() {}

        @Override
        public void matched(int candidates, int evaluations, int events) {}
    };

    /** A write has come, of a bucket that some query is about, though perhaps none of this cell. */
    void reached();

    /**
     * A write was matched.
     *
     * @param candidates filters that the index found
     * @param evaluations those that were evaluated; the others were told not to match without that
     * @param events changes of results that it caused
     */
    void matched(int candidates, int evaluations, int events);
}
