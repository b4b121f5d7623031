package io.orestes.read;

/**
 * The form of a query result: whole objects, their ids, or whichever is cheaper. A request that
 * asks for no form gets {@link #OBJECTS}.
 */
public enum ResultForm {
    /** The objects. */
    OBJECTS,
    /** Their ids: the caller loads what it does not have. */
    IDS,
    /** Either of the two, whichever {@link ResultFormCostModel} holds for cheaper. */
    CHEAPER
}
