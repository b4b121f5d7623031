package io.orestes.store.embedded;

import io.orestes.model.ApiException;
import io.orestes.store.Gates;

/**
 * A chore that is given up when its bucket is rewritten, for it would meet objects and indexes in two forms, or dropped, for
 * it was not meant for what comes after.
 */
final class GatedChore implements Chore {

    private final Gates gates;
    private final String bucket;
    private final long form;
    private final Chore chore;

    GatedChore(Gates gates, String bucket, long form, Chore chore) {
        this.gates = gates;
        this.bucket = bucket;
        this.form = form;
        this.chore = chore;
    }

    @Override
    public boolean step(Replies replies) {
        gates.requireOpen(bucket, form);
        return chore.step(replies);
    }

    @Override
    public void abort(ApiException reason, Replies replies) {
        chore.abort(reason, replies);
    }
}
