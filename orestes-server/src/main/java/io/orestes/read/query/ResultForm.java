package io.orestes.read.query;

import io.orestes.read.watch.ResultFormCostModel;

/**
 * The form of a query result: whole objects, their ids, or whichever is cheaper. The default is
 * {@link #OBJECTS}.
 */
public enum ResultForm {
    /** Whole objects. */
    OBJECTS,
    /** Their ids: the caller loads missing objects. */
    IDS,
    /** Whichever form {@link ResultFormCostModel} estimates as cheaper. */
    CHEAPER
}
