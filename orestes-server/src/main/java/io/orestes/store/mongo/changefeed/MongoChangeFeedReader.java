package io.orestes.store.mongo.changefeed;

import io.orestes.store.ChangeEvent;
import io.orestes.store.ChangeFeed;
import io.orestes.store.mongo.driver.MongoErrors;
import io.orestes.store.mongo.driver.StoreCallGate;
import io.vertx.core.Future;
import java.util.List;
import org.bson.BsonDocument;

/**
 * A reader of the change feed that decodes the events of one change stream cursor. Used on the
 * store's context.
 */
final class MongoChangeFeedReader implements ChangeFeed.ChangeFeedReader {

    private final StoreCallGate gate;
    private final ChangeStreamCursor cursor;

    MongoChangeFeedReader(StoreCallGate gate, ChangeStreamCursor cursor) {
        this.gate = gate;
        this.cursor = cursor;
    }

    /** Begins now. */
    Future<Void> open() {
        return explained(cursor.open());
    }

    /** Begins after a position. */
    Future<Void> open(ChangeFeed.FeedPosition after) {
        return explained(cursor.open(after.token()));
    }

    @Override
    public Future<ChangeFeed.ChangePage> next() {
        return gate.call(() -> {
            if (cursor.isAtEnd()) {
                // the stream of a dropped database has ended; a new one begins at the last position
                return open(position()).map(opened -> new ChangeFeed.ChangePage(List.of(), position(), false));
            }
            return explained(cursor.next()).map(this::page);
        });
    }

    private ChangeFeed.ChangePage page(List<BsonDocument> events) {
        List<ChangeEvent> changes =
                events.stream().flatMap(ChangeEventDecoder::decode).toList();
        return new ChangeFeed.ChangePage(changes, position(), events.size() < ChangeStreamCursor.PAGE_SIZE);
    }

    @Override
    public ChangeFeed.FeedPosition position() {
        return new ChangeFeed.FeedPosition(cursor.position());
    }

    private static <T> Future<T> explained(Future<T> read) {
        return read.recover(failure -> Future.failedFuture(
                MongoErrors.isPositionLostError(failure)
                        ? new ChangeFeed.PositionLostException(failure)
                        : MongoErrors.unavailable("The changes in MongoDB cannot be read: "
                                + failure.getClass().getSimpleName())));
    }

    @Override
    public void close() {
        var unused = gate.call(cursor::close);
    }
}
