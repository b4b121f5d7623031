package io.orestes.store.embedded;

import io.orestes.model.ApiException;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Deletes the objects of a bucket, some at each step, in the order of their ids. */
final class Truncation implements Chore {

    private static final int OBJECTS_PER_STEP = 500;

    private final Database database;
    private final Supplier<Group> groups;
    private final Consumer<List<Tombstone>> deleted;
    private final Reply<Void> reply;
    private KeyRange rest;

    /** @param deleted told of the objects of each step, on the context of the reply and before it */
    Truncation(
            Database database,
            Supplier<Group> groups,
            String bucket,
            Consumer<List<Tombstone>> deleted,
            Reply<Void> reply) {
        this.database = database;
        this.groups = groups;
        this.deleted = deleted;
        this.reply = reply;
        this.rest = KeyRange.bucket(bucket);
    }

    @Override
    public boolean step(Replies replies) {
        List<StoredObject> objects = next();
        try (Group group = groups.get()) {
            List<Tombstone> tombstones = objects.stream().map(group::delete).toList();
            group.commit();
            replies.add(reply.context(), () -> deleted.accept(tombstones));
        }
        if (objects.size() < OBJECTS_PER_STEP) {
            replies.add(reply, Future.succeededFuture());
            return false;
        }
        return true;
    }

    @Override
    public void abort(ApiException reason, Replies replies) {
        replies.add(reply, Future.failedFuture(reason));
    }

    private List<StoredObject> next() {
        List<StoredObject> objects = new ArrayList<>();
        try (View view = database.view()) {
            view.visit(Family.OBJECTS, rest, (key, encoded) -> {
                rest = rest.after(key);
                objects.add(Documents.object(Documents.decode(encoded)));
                return objects.size() < OBJECTS_PER_STEP;
            });
        }
        return objects;
    }
}
