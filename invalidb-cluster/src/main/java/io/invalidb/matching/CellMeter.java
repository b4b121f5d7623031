package io.invalidb.matching;

/**
 * The listener that a cell informs of each write it receives and of the matching work done. The
 * thread that owns the cell calls it.
 */
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
