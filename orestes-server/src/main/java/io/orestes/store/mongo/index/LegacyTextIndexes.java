package io.orestes.store.mongo.index;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import io.orestes.store.IndexSpec;
import io.orestes.store.mongo.document.MongoCollections;
import io.orestes.store.mongo.driver.MongoErrors;
import io.orestes.store.mongo.driver.PublisherAdapter;
import io.vertx.core.Future;
import org.bson.conversions.Bson;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The migration that drops MongoDB's own text indexes, which earlier versions of the server
 * created. Objects did not contain their {@link WordHashes} then. These indexes refuse objects by
 * their field {@code language}, so they are dropped at the start. The indexes that replace them are
 * filled like any other, and searches read all objects until then.
 */
public final class LegacyTextIndexes {

    /** Member of every definition of a text index that MongoDB has no text index for. */
    public static final String WORDS_MEMBER = "words";

    private static final Logger LOG = LoggerFactory.getLogger(LegacyTextIndexes.class);

    /** Name of the index; MongoDB drops a text index by its name only. */
    private static final String NAME = "$**_text";

    private static final Bson LEGACY =
            Filters.and(Filters.eq("keys.kind", IndexSpec.IndexKind.TEXT.name()), Filters.exists(WORDS_MEMBER, false));

    private LegacyTextIndexes() {}

    /**
     * Drops the indexes; to be called before the catalog is read. Several servers may do so at the
     * same time.
     */
    public static Future<Void> dropAll(MongoCollections mongoCollections) {
        return mongoCollections.publishers().each(mongoCollections.indexes().find(LEGACY), 1, one -> drop(
                        mongoCollections, MongoIndexDefinition.decode(one.get(0)))
                .map(true));
    }

    private static Future<?> drop(MongoCollections mongoCollections, MongoIndexDefinition old) {
        PublisherAdapter publisherAdapter = mongoCollections.publishers();
        Bson same = Filters.and(Filters.eq(old.number()), LEGACY);
        return publisherAdapter
                .first(mongoCollections.newest(old.bucket()).dropIndex(NAME))
                .<Object>map(dropped -> true)
                .recover(failure -> MongoErrors.isMissingIndexError(failure)
                        ? Future.succeededFuture(false)
                        : Future.failedFuture(failure))
                .compose(dropped -> publisherAdapter.first(mongoCollections
                        .indexes()
                        .updateOne(
                                same, Updates.combine(Updates.set(WORDS_MEMBER, true), Updates.set("ready", false)))))
                .onSuccess(noted -> LOG.info(
                        "The text index of {} is rebuilt from words in objects; MongoDB's own index is dropped",
                        old.bucket()));
    }
}
