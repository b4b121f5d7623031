package io.invalidb.sorting;

/**
 * The position of one object in an ordered result, relative to the edges of a window. The other
 * objects are counted without it. Those behind it are one position further on, so each edge of the
 * window lies before another of them.
 *
 * @param position counted from the first object of the result, or {@link #NOWHERE}
 */
record WindowPosition(WindowSpec spec, int position) {

    static final int NOWHERE = -1;

    /** Returns whether it is in the window. */
    boolean isInside() {
        return position >= spec.offset() && position < spec.end();
    }

    /** Returns its position counted from the start of the window. */
    int index() {
        return position - spec.offset();
    }

    /** Returns the number of the first other object that is not before the window. */
    int firstOther() {
        return isBefore(spec.offset()) ? spec.offset() - 1 : spec.offset();
    }

    /** Returns the number of the first other object that is behind the window. */
    int endOfOthers() {
        return isBefore(spec.end()) ? spec.end() - 1 : spec.end();
    }

    /** Returns whether the other object with that number comes after it. */
    boolean isBeforeOther(int number) {
        return position != NOWHERE && position <= number;
    }

    private boolean isBefore(int edge) {
        return position != NOWHERE && position < edge;
    }
}
