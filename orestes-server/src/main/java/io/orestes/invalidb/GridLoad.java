package io.orestes.invalidb;

import io.invalidb.grid.CellCounts;
import java.util.List;

/**
 * What the cells of the grid hold and do.
 *
 * @param queriesByRow how many queries each row of cells holds; all cells of a row hold the same ones, each for its share of the objects
 * @param cells row by row
 */
public record GridLoad(List<Integer> queriesByRow, List<List<CellLoad>> cells) {

    public GridLoad {
        queriesByRow = List.copyOf(queriesByRow);
        cells = cells.stream().map(List::copyOf).toList();
    }

    /**
     * One cell; it counts from when it was started, and one that stopped to answer is replaced by another.
     *
     * @param writes that came to it, of classes that some query is about
     * @param evaluations filters that were evaluated on them
     * @param events changes of results that they caused
     */
    public record CellLoad(long writes, long evaluations, long events) {

        static CellLoad of(CellCounts cellCounts) {
            return new CellLoad(cellCounts.writes(), cellCounts.evaluations(), cellCounts.events());
        }
    }
}
