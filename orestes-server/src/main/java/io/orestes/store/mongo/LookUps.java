package io.orestes.store.mongo;

import io.orestes.model.ObjectRef;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;

/**
 * Reads of objects by their ids. Those that are asked for at one moment are one request. Used on the store's context
 * only.
 */
final class LookUps {

    private final Gathering<ObjectRef, Optional<Found>> finds;
    private final Finder finder;
    private final Adoption adoption;

    LookUps(Context home, Finder finder, Adoption adoption) {
        this.finds = new Gathering<>(home, Finder.PAGE, this::findTogether);
        this.finder = finder;
        this.adoption = adoption;
    }

    Future<Optional<Found>> find(ObjectRef ref) {
        return finds.ask(ref);
    }

    /** The same of several objects of a bucket; those that are not there are left out. */
    Future<List<Found>> findAll(String bucket, Collection<ObjectRef> refs) {
        List<Gathering.Asked<ObjectRef, Optional<Found>>> asked = refs.stream()
                .distinct()
                .map(ref -> new Gathering.Asked<>(ref, Promise.<Optional<Found>>promise()))
                .toList();
        new Group(bucket, asked).find();
        return Future.join(asked.stream().map(one -> one.answer().future()).toList())
                .map(all -> all.<Optional<Found>>list().stream()
                        .flatMap(Optional::stream)
                        .toList());
    }

    private void findTogether(List<Gathering.Asked<ObjectRef, Optional<Found>>> asked) {
        Gathering.grouped(asked, ObjectRef::bucket).forEach((bucket, group) -> new Group(bucket, group).find());
    }

    /** Who has asked for objects of one bucket. */
    private final class Group {

        private final String bucket;
        private final List<Gathering.Asked<ObjectRef, Optional<Found>>> asked;

        private Group(String bucket, List<Gathering.Asked<ObjectRef, Optional<Found>>> asked) {
            this.bucket = bucket;
            this.asked = asked;
        }

        private void find() {
            Gathering.answer(
                    asked,
                    documents().compose(documents -> adoption.found(bucket, documents)),
                    (objects, ref) -> Optional.ofNullable(objects.get(ref)));
        }

        private Future<List<BsonDocument>> documents() {
            List<ObjectRef> refs = Gathering.subjects(asked);
            boolean isOne = refs.size() == 1 && !Ids.mayBeForeign(refs.get(0));
            return finder.find(bucket, Ids.anyOf(refs), found -> isOne ? found.limit(1) : found.batchSize(Finder.PAGE));
        }
    }
}
