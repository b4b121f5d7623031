package io.invalidb.grid;

/**
 * The numbers of query and write partitions of a grid, and the hash that assigns queries and
 * objects to them. All cells of one row watch a query, each for its partition of the objects. A
 * write goes to all cells of one column.
 *
 * @param queryPartitions rows, 1 to 1,000
 * @param writePartitions columns, 1 to 1,000
 */
public record GridSize(int queryPartitions, int writePartitions) {

    private static final int MAX_PARTITIONS = 1_000;

    public GridSize {
        requirePartitions(queryPartitions);
        requirePartitions(writePartitions);
    }

    private static void requirePartitions(int partitions) {
        if (partitions < 1 || partitions > MAX_PARTITIONS) {
            throw new IllegalArgumentException("A grid has 1 to " + MAX_PARTITIONS + " partitions in each dimension");
        }
    }

    /** Returns the row of the query. */
    public int queryPartition(String queryId) {
        return partition(queryId, queryPartitions);
    }

    /** Returns the column of the object's writes. */
    public int writePartition(String objectId) {
        return partition(objectId, writePartitions);
    }

    /**
     * Returns the partition of a key. The bits are mixed first (the finalizer of MurmurHash3):
     * ascending ids would give runs of neighbours.
     */
    private static int partition(String key, int partitions) {
        int hash = key.hashCode();
        hash = (hash ^ (hash >>> 16)) * 0x85ebca6b;
        hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35;
        return Math.floorMod(hash ^ (hash >>> 16), partitions);
    }
}
