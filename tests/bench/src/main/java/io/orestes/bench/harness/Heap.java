package io.orestes.bench.harness;

/** Usage of the heap. */
public final class Heap {

    private Heap() {}

    /** Returns the bytes of reachable objects. */
    public static long bytes() {
        long used = collected();
        for (long again = collected(); again < used; again = collected()) {
            used = again;
        }
        return used;
    }

    private static long collected() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
