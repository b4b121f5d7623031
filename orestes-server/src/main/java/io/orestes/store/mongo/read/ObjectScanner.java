package io.orestes.store.mongo.read;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.FindPublisher;
import io.orestes.model.StoredObject;
import io.orestes.store.ObjectStore;
import io.orestes.store.mongo.document.DocumentIds;
import io.orestes.store.mongo.driver.PublisherAdapter.PageLimits;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.conversions.Bson;

/**
 * The scanner of all objects of a class in the order of their ids. MongoDB orders ids of our own
 * and of other programs apart, so that each page is merged from both.
 */
public final class ObjectScanner {

    private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

    private final CommittedDocumentReader reader;

    public ObjectScanner(CommittedDocumentReader reader) {
        this.reader = reader;
    }

    /**
     * Reads a page of the objects of a class in the order of their ids.
     *
     * @param after id before the first object, empty for the beginning
     */
    public Future<List<StoredObject>> scan(String bucket, String after, int limit) {
        String begin = "/db/" + bucket + "/";
        String key = after.startsWith(begin) ? after.substring(begin.length()) : "";
        Bson ours = Filters.and(
                Filters.gt(StoredObject.ID, after.isEmpty() ? begin : after),
                Filters.lt(StoredObject.ID, "/db/" + bucket + "0"));
        return scan(bucket, ours, limit).compose(page -> scan(bucket, DocumentIds.foreignAfter(key), limit)
                .map(others -> merged(page, others, limit)));
    }

    /**
     * Merges two parts that begin after the same id string. Each ends where it is full, and objects
     * of the other after that position are left to later pages.
     */
    private static List<StoredObject> merged(ScannedPart ours, ScannedPart others, int limit) {
        Comparator<StoredObject> byId =
                Comparator.comparing(object -> object.ref().id());
        return Stream.of(ours, others)
                .flatMap(scanned -> scanned.objects().stream())
                .filter(object -> ours.reaches(object) && others.reaches(object))
                .sorted(byId)
                .limit(limit)
                .toList();
    }

    private Future<ScannedPart> scan(String bucket, Bson condition, int limit) {
        FindPublisher<RawBsonDocument> rest = reader.findRaw(bucket, condition)
                .sort(Sorts.ascending(StoredObject.ID))
                .limit(limit);
        List<RawBsonDocument> page = new ArrayList<>();
        int[] bytes = {0};
        return reader.publishers()
                .each(
                        rest,
                        PageLimits.bySize(
                                CommittedDocumentReader.PAGE_SIZE, ObjectStore.PAGE_BYTES, ObjectScanner::length),
                        (some, size) -> Future.succeededFuture(take(some, page, bytes)))
                .compose(read -> reader.runBlocking(
                        () -> page.stream().map(ObjectScanner::decode).toList()))
                .compose(documents -> reader.objects(bucket, documents))
                .map(objects -> new ScannedPart(objects, page.size() < limit && bytes[0] < ObjectStore.PAGE_BYTES));
    }

    private static boolean take(List<RawBsonDocument> some, List<RawBsonDocument> page, int[] bytes) {
        for (RawBsonDocument document : some) {
            if (bytes[0] >= ObjectStore.PAGE_BYTES) {
                return false;
            }
            bytes[0] += length(document);
            page.add(document);
        }
        return bytes[0] < ObjectStore.PAGE_BYTES;
    }

    private static int length(RawBsonDocument document) {
        return document.getByteBuffer().remaining();
    }

    private static BsonDocument decode(RawBsonDocument document) {
        return document.decode(CODEC);
    }

    /**
     * A part of the objects of a class, in the order of their ids.
     *
     * @param isAll whether there are no more of these
     */
    private record ScannedPart(List<StoredObject> objects, boolean isAll) {

        /** True if the part contains all its objects up to that one. */
        private boolean reaches(StoredObject object) {
            return isAll
                    || (!objects.isEmpty()
                            && object.ref()
                                            .id()
                                            .compareTo(objects.get(objects.size() - 1)
                                                    .ref()
                                                    .id())
                                    <= 0);
        }
    }
}
