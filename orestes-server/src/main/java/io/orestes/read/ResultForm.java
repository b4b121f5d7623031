package io.orestes.read;

/** The form of a query result: whole objects, their ids, or whichever is cheaper. */
public enum ResultForm {
    /** The objects. */
    OBJECTS,
    /** Their ids: the caller loads what it does not have. */
    IDS,
    /** Either of the two, whichever {@link ResultFormCostModel} holds for cheaper. */
    CHEAPER
}
