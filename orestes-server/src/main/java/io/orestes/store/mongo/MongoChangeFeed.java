package io.orestes.store.mongo;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.reactivestreams.client.ClientSession;
import io.invalidb.model.Stamp;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.store.ChangeFeed;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** The change stream of the database, read by plain commands: so the place is known also where there was nothing. */
final class MongoChangeFeed implements ChangeFeed {

    private static final String ONLY_ONE = "objects";
    private static final String TOKEN = "token";
    private static final String KEPT_AT = "keptAt";

    /** What does the work on the store's context, unless the store is closed. */
    interface Home {
        <T> Future<T> call(Supplier<Future<T>> work);
    }

    private final Home home;
    private final Sessions sessions;
    private final Buckets buckets;
    private final Publishers publishers;
    private final Adoption adoption;
    private final Tombstones tombstones;
    private final Turns turns;
    private final Writes writes;
    private final InstantSource clock;

    MongoChangeFeed(
            Home home,
            Sessions sessions,
            Buckets buckets,
            Publishers publishers,
            Adoption adoption,
            Tombstones tombstones,
            Turns turns,
            Writes writes,
            InstantSource clock) {
        this.home = home;
        this.sessions = sessions;
        this.buckets = buckets;
        this.publishers = publishers;
        this.adoption = adoption;
        this.tombstones = tombstones;
        this.turns = turns;
        this.writes = writes;
        this.clock = clock;
    }

    @Override
    public Future<Optional<Place>> kept() {
        return home.call(() -> publishers
                .first(buckets.changes().find(Filters.eq(ONLY_ONE)).first())
                .map(found -> found.map(kept -> new Place(kept.getDocument(TOKEN)))));
    }

    @Override
    public Future<Void> keep(Place place) {
        BsonDocument kept = new BsonDocument(StoredObject.ID, new BsonString(ONLY_ONE))
                .append(TOKEN, place.token())
                .append(KEPT_AT, new BsonDateTime(clock.millis()));
        return home.call(() -> publishers
                .first(buckets.changes().replaceOne(Filters.eq(ONLY_ONE), kept, new ReplaceOptions().upsert(true)))
                .mapEmpty());
    }

    @Override
    public Future<Reader> open(Optional<Place> after) {
        return home.call(() -> sessions.begin().compose(session -> opened(session, after)));
    }

    private Future<Reader> opened(ClientSession session, Optional<Place> after) {
        ChangeReader reader = new ChangeReader(
                home, new ChangeCursor(session, buckets.database(), publishers, ChangeEvents.PIPELINE));
        return reader.open(after).<Reader>map(reader).onFailure(failure -> session.close());
    }

    @Override
    public Future<Optional<Sighting>> current(ObjectRef ref) {
        return home.call(() -> turns.take(Set.of(ref.id()), () -> {
            writes.forget(ref);
            return publishers
                    .all(buckets.newest(ref.bucket()).find(Ids.only(ref)).batchSize(2), 2)
                    .compose(found -> {
                        boolean isAdopted = !found.stream().allMatch(Documents::isWhole);
                        return adoption.all(ref.bucket(), found)
                                .map(objects ->
                                        objects.stream().findFirst().map(state -> new Sighting(state, isAdopted)));
                    });
        }));
    }

    @Override
    public Future<Optional<StoredObject>> renew(ObjectRef ref, Optional<Stamp> known) {
        return home.call(() -> turns.take(Set.of(ref.id()), () -> adoption.renew(ref, known)));
    }

    /**
     * Who inserts the object while this is under way may have looked for the end of the last life before; that life then is told by
     * the change that began it, whatever this one says.
     */
    @Override
    public Future<Tombstone> end(ObjectRef ref, Optional<Stamp> known) {
        long incarnation = known.map(Stamp::incarnation).orElseGet(clock::millis);
        long version = known.map(last -> last.version() + 1).orElse(Long.MAX_VALUE);
        Tombstones.End end = new Tombstones.End(ref, Math.max(clock.millis(), incarnation), CompletionRecords.NONE);
        return home.call(
                () -> tombstones.note(List.of(end)).map(noted -> new Tombstone(ref, new Stamp(incarnation, version))));
    }
}
