package io.orestes.bench.harness;

/** The objects that benchmarks write and read. */
public final class Documents {

    /** Class of the objects below. */
    public static final String ITEM = "Item";

    /**
     * Number of objects that are written in turn, so that no two writes under way are of one
     * object.
     */
    public static final int WRITTEN_ITEMS = 1000;

    private Documents() {}

    /** The declaration of {@link #ITEM}. */
    public static Orestes.Field[] itemFields() {
        return new Orestes.Field[] {
            new Orestes.Field("name", "String"),
            new Orestes.Field("shelf", "Integer"),
            new Orestes.Field("price", "Double"),
            new Orestes.Field("text", "String")
        };
    }

    /**
     * Returns an object whose answer has about {@code bytes} bytes; {@code key} may contain a
     * placeholder of a template language.
     */
    public static String item(String key, int shelf, int bytes) {
        return item(ITEM, key, shelf, bytes);
    }

    /** Returns an object of another class with an equal declaration. */
    public static String item(String name, String key, int shelf, int bytes) {
        return "{\"id\":\"/db/" + name + "/" + key + "\",\"name\":\"item " + key + "\",\"shelf\":" + shelf
                + ",\"price\":12.5,\"text\":\"" + "x".repeat(Math.max(0, bytes - 200)) + "\"}";
    }
}
