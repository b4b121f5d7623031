package io.orestes.read.watch;

/**
 * A cost model that chooses between object lists and id lists as query results (Quaestor §4.3). It
 * estimates the costs by how the result has changed lately.
 *
 * <p>Of {@code e} changes the share {@code s} is one of membership, the rest changes an object that
 * stays; the result has {@code n} objects. To transfer one of them costs {@code b} of a round trip.
 * Copies are fetched after each change that they show:
 * <ul>
 *   <li>objects: {@code e} times a round trip and n objects, {@code e (1 + n b)}
 *   <li>ids: {@code s e} round trips for the list, and after each change one for the one object
 *       that is new to the caller, {@code s e + e (1 + b)}
 * </ul>
 * so ids are cheaper if {@code s < (n - 1) b}. That supposes callers that have the other objects,
 * from this query or another one, and load them in parallel; hence callers get ids only on request.
 */
public final class ResultFormCostModel {

    /**
     * Cost of transferring one object, as a share of a round trip: about 1 KB at 1 Mbyte/s and 20
     * ms of round trip time.
     */
    private static final double TRANSFER = 0.05;

    /** Number of changes below which there is no estimate. */
    private static final int MIN_CHANGES = 4;

    private ResultFormCostModel() {}

    /**
     * Returns whether ids are cheaper.
     *
     * @param memberships number of objects that entered or left
     * @param changes number of objects that changed and stayed
     * @param size number of objects in the result
     */
    public static boolean prefersIds(long memberships, long changes, int size) {
        long all = memberships + changes;
        return all >= MIN_CHANGES && (double) memberships / all < (size - 1) * TRANSFER;
    }
}
