package io.orestes.read;

/** What stands for the objects in the result of a query; who asks for nothing gets {@link #OBJECTS}. */
public enum ResultForm {
    /** The objects. */
    OBJECTS,
    /** Their ids: the caller loads what it does not have. */
    IDS,
    /** Either of the two, whichever {@link ResultFormCostModel} holds for cheaper. */
    CHEAPER
}
