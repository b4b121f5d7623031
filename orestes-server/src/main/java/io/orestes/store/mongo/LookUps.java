package io.orestes.store.mongo;

import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.bson.BsonNull;

/**
 * Reads of objects by their ids. Those that are asked for at the same moment are one request; who asks for one that a commit has marked may have to
 * wait for that, and the others do not. Used on the store's context only.
 */
final class LookUps {

    private final Gathering<ObjectRef, Optional<Found>> finds;
    private final Finder finder;
    private final BiFunction<String, List<BsonDocument>, Future<Boolean>> settling;
    private final Adoption adoption;
    private final Duration longest;

    /**
     * Reads for one purpose.
     *
     * @param settling waits for those who have marked documents, as far as that is needed; comes to whether there may be others then
     * @param longest time after which nothing is read again
     */
    LookUps(
            Context home,
            Finder finder,
            BiFunction<String, List<BsonDocument>, Future<Boolean>> settling,
            Adoption adoption,
            Duration longest) {
        this.finds = new Gathering<>(home, Finder.PAGE, this::findTogether);
        this.finder = finder;
        this.settling = settling;
        this.adoption = adoption;
        this.longest = longest;
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
        new Group(bucket, asked, end()).find();
        return Future.join(asked.stream().map(one -> one.answer().future()).toList())
                .map(all -> all.<Optional<Found>>list().stream()
                        .flatMap(Optional::stream)
                        .toList());
    }

    private void findTogether(List<Gathering.Asked<ObjectRef, Optional<Found>>> asked) {
        long end = end();
        Gathering.grouped(asked, ObjectRef::bucket).forEach((bucket, group) -> new Group(bucket, group, end).find());
    }

    private long end() {
        return System.nanoTime() + longest.toNanos();
    }

    /** Who has asked for objects of one bucket. */
    private final class Group {

        private final String bucket;
        private final List<Gathering.Asked<ObjectRef, Optional<Found>>> asked;
        private final long end;

        private Group(String bucket, List<Gathering.Asked<ObjectRef, Optional<Found>>> asked, long end) {
            this.bucket = bucket;
            this.asked = asked;
            this.end = end;
        }

        private void find() {
            documents().onSuccess(this::found).onFailure(this::fail);
        }

        private Future<List<BsonDocument>> documents() {
            List<ObjectRef> refs = Gathering.subjects(asked);
            boolean isOne = refs.size() == 1 && !Ids.mayBeForeign(refs.get(0));
            return finder.find(bucket, Ids.anyOf(refs), found -> isOne ? found.limit(1) : found.batchSize(Finder.PAGE));
        }

        private void found(List<BsonDocument> documents) {
            Set<ObjectRef> marked = documents.stream()
                    .filter(document -> Marks.commit(document).isPresent())
                    .flatMap(document -> ref(document).stream())
                    .collect(Collectors.toSet());
            if (marked.isEmpty()) {
                answer(documents);
                return;
            }
            part(ref -> !marked.contains(ref)).answer(part(documents, ref -> !marked.contains(ref)));
            part(marked::contains).settle(part(documents, marked::contains));
        }

        private void settle(List<BsonDocument> documents) {
            settling.apply(bucket, documents).onFailure(this::fail).onSuccess(mayBeOthers -> {
                if (!mayBeOthers) {
                    answer(documents);
                } else if (System.nanoTime() - end > 0) {
                    fail(Refusals.unavailable("Too many others write the same"));
                } else {
                    find();
                }
            });
        }

        private Group part(Predicate<ObjectRef> which) {
            return new Group(
                    bucket, asked.stream().filter(one -> which.test(one.what())).toList(), end);
        }

        private List<BsonDocument> part(List<BsonDocument> documents, Predicate<ObjectRef> which) {
            return documents.stream()
                    .filter(document -> ref(document).filter(which).isPresent())
                    .toList();
        }

        private Optional<ObjectRef> ref(BsonDocument document) {
            return Ids.ref(bucket, document.get(StoredObject.ID, BsonNull.VALUE));
        }

        private void answer(List<BsonDocument> documents) {
            Gathering.answer(
                    asked,
                    Future.succeededFuture(documents).compose(this::objects),
                    (objects, ref) -> Optional.ofNullable(objects.get(ref)));
        }

        private void fail(Throwable failure) {
            asked.forEach(one -> one.answer().fail(failure));
        }

        private Future<Map<ObjectRef, Found>> objects(List<BsonDocument> documents) {
            return adoption.found(bucket, documents);
        }
    }
}
