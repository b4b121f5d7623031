package io.orestes.store.mongo;

import io.orestes.store.ChangeFeed;
import io.orestes.store.StoreChange;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;

/** One cursor of the database's change stream, and what its events say of objects. Used on the store's context. */
final class ChangeReader implements ChangeFeed.Reader {

    private final MongoChangeFeed.Home home;
    private final ChangeCursor cursor;

    ChangeReader(MongoChangeFeed.Home home, ChangeCursor cursor) {
        this.home = home;
        this.cursor = cursor;
    }

    /** Begins behind a place, or now. */
    Future<ChangeReader> open(Optional<ChangeFeed.Place> after) {
        return explained(cursor.open(after.map(ChangeFeed.Place::token))).map(this);
    }

    @Override
    public Future<ChangeFeed.Page> next() {
        return home.call(() -> {
            if (cursor.isAtEnd()) {
                // what is told last of a database that was dropped
                return open(Optional.of(place())).map(opened -> new ChangeFeed.Page(List.of(), place(), false));
            }
            return explained(cursor.next()).map(this::page);
        });
    }

    private ChangeFeed.Page page(List<BsonDocument> events) {
        List<StoreChange> changes =
                events.stream().flatMap(ChangeEvents::changes).toList();
        return new ChangeFeed.Page(changes, place(), events.size() < ChangeCursor.PAGE);
    }

    private ChangeFeed.Place place() {
        return new ChangeFeed.Place(cursor.place());
    }

    private static <T> Future<T> explained(Future<T> read) {
        return read.recover(failure -> Future.failedFuture(
                Refusals.isOfLostPlace(failure)
                        ? new ChangeFeed.PlaceLostException(failure)
                        : Refusals.unavailable("The changes in MongoDB cannot be read: "
                                + failure.getClass().getSimpleName())));
    }

    @Override
    public void close() {
        var unused = home.call(cursor::close);
    }
}
