package io.orestes.http.data;

import java.util.List;

/** A slicer of a list that arrives page by page, by offset and limit. Single use, single thread. */
final class ResultSlicer {

    private long before;
    private long left;

    /** @param count maximum number of elements, below 0 for all */
    ResultSlicer(int start, int count) {
        this.before = start;
        this.left = count < 0 ? Long.MAX_VALUE : count;
    }

    /** Returns the selected elements of the next page. */
    <T> List<T> of(List<T> page) {
        int from = (int) Math.min(before, page.size());
        int to = (int) Math.min(from + Math.min(left, page.size()), page.size());
        before -= from;
        left -= to - from;
        return page.subList(from, to);
    }
}
