package io.orestes.bench;

/** How much of the heap is in use. */
final class Heap {

    private Heap() {}

    /** Bytes of what is reachable. */
    static long bytes() {
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
