package io.invalidb.matching;

/**
 * The listener that a cell informs of each write it receives and of the matching work done. The
 * thread that owns the cell calls it.
 */
public interface CellMeter {

    /** A meter that ignores all counts. */
    CellMeter NONE = new CellMeter() {
        @Override
        public void onWrite() {}

        @Override
        public void onMatched(int candidates, int evaluations, int events) {}
    };

    /**
     * Called when a write arrives on a watched bucket, even if none of its queries is in this cell.
     */
    void onWrite();

    /**
     * Called when a write was matched.
     *
     * @param candidates number of filters that the index found
     * @param evaluations number of evaluated filters; prefilters excluded the others
     * @param events number of result changes
     */
    void onMatched(int candidates, int evaluations, int events);
}
