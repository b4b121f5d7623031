package io.orestes.store.embedded;

import io.orestes.model.ApiException;

/** A chore that is given up when its bucket is rewritten: it would meet objects and indexes in two forms. */
final class GatedChore implements Chore {

    private final Gates gates;
    private final String bucket;
    private final Chore chore;

    GatedChore(Gates gates, String bucket, Chore chore) {
        this.gates = gates;
        this.bucket = bucket;
        this.chore = chore;
    }

    @Override
    public boolean step(Replies replies) {
        gates.requireOpen(bucket);
        return chore.step(replies);
    }

    @Override
    public void abort(ApiException reason, Replies replies) {
        chore.abort(reason, replies);
    }
}
