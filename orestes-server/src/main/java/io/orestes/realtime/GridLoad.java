package io.orestes.realtime;

import java.util.List;

/**
 * What the cells of the grid hold.
 *
 * @param columns how many cells hold each query, each for its share of the objects
 * @param queriesByRow how many queries each row of cells holds
 */
public record GridLoad(int columns, List<Integer> queriesByRow) {

    public GridLoad {
        queriesByRow = List.copyOf(queriesByRow);
    }
}
