package io.orestes.store;

import org.bson.BsonDocument;

/**
 * A function from the stored state of an object to the fields of its next state.
 * {@link ObjectStore#update} applies it, possibly more than once. Pure and safe for all threads.
 */
public interface UpdateFunction {

    /**
     * Computes the fields of the next state, as {@link ObjectStore#replace} takes them; the result
     * belongs to the store from then on. Fails with an exception for the writer if the update
     * cannot be applied; then nothing changes.
     *
     * @param stored the document of the current state, which must not be changed
     * @param at time when the next state will have been committed, milliseconds since 1970
     */
    BsonDocument apply(BsonDocument stored, long at);

    /** True if the update may change the object's permissions. */
    default boolean touchesAcl() {
        return true;
    }
}
