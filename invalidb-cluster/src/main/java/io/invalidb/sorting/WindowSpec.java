package io.invalidb.sorting;

import io.invalidb.query.sort.SortOrder;

/**
 * The specification of a window: its sort order, its offset and its limit.
 *
 * @param order the order of the result; ties are broken by id
 * @param offset number of objects before the window, at least 0
 * @param limit maximum number of objects in the window, at least 0
 */
public record WindowSpec(SortOrder order, int offset, int limit) {

    public WindowSpec {
        if (offset < 0 || limit < 0) {
            throw new IllegalArgumentException("offset and limit are not negative");
        }
    }

    /** Returns the number of objects, from the first of the result, that determine the window. */
    public int end() {
        return offset + limit;
    }
}
