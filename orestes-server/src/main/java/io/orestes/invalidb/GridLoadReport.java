package io.orestes.invalidb;

import io.invalidb.grid.CellLoadCounters;
import java.util.List;

/**
 * A report of the load of the matching grid: queries of each row, and the work that each cell has
 * done.
 *
 * @param queriesByRow number of queries in each row of cells; all cells of a row have the same
 *     ones, each for its share of the objects
 * @param cells row by row
 */
public record GridLoadReport(List<Integer> queriesByRow, List<List<CellLoad>> cells) {

    public GridLoadReport {
        queriesByRow = List.copyOf(queriesByRow);
        cells = cells.stream().map(List::copyOf).toList();
    }

    /**
     * The load of one cell since it was started: writes, filter evaluations and match events. A
     * cell that stops to respond is replaced by another, whose counters begin at zero.
     *
     * @param writes writes that it received, to classes with queries
     * @param evaluations filters that were evaluated on them
     * @param events changes of results that they caused
     */
    public record CellLoad(long writes, long evaluations, long events) {

        static CellLoad of(CellLoadCounters cellLoadCounters) {
            return new CellLoad(cellLoadCounters.writes(), cellLoadCounters.evaluations(), cellLoadCounters.events());
        }
    }
}
