package io.orestes.store.mongo.changefeed;

import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.store.ChangeEvent;
import io.orestes.store.mongo.document.DocumentIds;
import io.orestes.store.mongo.document.MongoCollections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;

/**
 * The decoder of MongoDB's change stream events, which projects them to ids, versions and times. Of
 * the objects themselves MongoDB sends only versions and times, so an event is never too large.
 */
final class ChangeEventDecoder {

    /** Stages that the server applies to each event before it sends it. */
    static final List<BsonDocument> PIPELINE = List.of(
            BsonDocument.parse("{$match: {'ns.coll': {$not: {$regex: '" + MongoCollections.NOT_OF_CLASSES + "'}}}}"),
            BsonDocument.parse(
                    """
                    {$project: {
                      operationType: 1, ns: 1, to: 1, documentKey: 1, clusterTime: 1,
                      'fullDocument.version': 1, 'fullDocument.updatedAt': 1,
                      version: '$updateDescription.updatedFields.version',
                      updatedAt: '$updateDescription.updatedFields.updatedAt',
                      names: {$concatArrays: [
                        {$map: {input: {$objectToArray: {$ifNull: ['$updateDescription.updatedFields', {}]}},
                          in: '$$this.k'}},
                        {$ifNull: ['$updateDescription.removedFields', []]},
                        {$map: {input: {$ifNull: ['$updateDescription.truncatedArrays', []]}, in: '$$this.field'}}]}}}
                    """));

    private ChangeEventDecoder() {}

    /** Returns the changes of objects that an event contains. */
    static Stream<ChangeEvent> decode(BsonDocument event) {
        return switch (event.getString("operationType").getValue()) {
            case "insert", "replace" ->
                decodeWrite(event, ChangeEvent.ChangeKind.WHOLE, event.getDocument("fullDocument"));
            case "update" -> isVisible(event) ? decodeWrite(event, ChangeEvent.ChangeKind.PART, event) : Stream.empty();
            case "delete" -> decodeWrite(event, ChangeEvent.ChangeKind.DELETION, new BsonDocument());
            case "drop" -> decodeBulkChange(event, "ns");
            case "rename" -> Stream.concat(decodeBulkChange(event, "ns"), decodeBulkChange(event, "to"));
            case "dropDatabase" -> Stream.of(new ChangeEvent.BulkChangeEvent(""));
            default -> Stream.empty();
        };
    }

    private static Stream<ChangeEvent> decodeWrite(
            BsonDocument event, ChangeEvent.ChangeKind kind, BsonDocument metadata) {
        Optional<ObjectRef> ref = bucket(event, "ns")
                .flatMap(bucket ->
                        DocumentIds.ref(bucket, event.getDocument("documentKey").get(StoredObject.ID, BsonNull.VALUE)));
        long seconds = event.getTimestamp("clusterTime").getTime();
        BsonValue version = metadata.get(StoredObject.VERSION, BsonNull.VALUE);
        BsonValue updated = metadata.get(StoredObject.UPDATED_AT, BsonNull.VALUE);
        return ref.stream()
                .map(written -> new ChangeEvent.ObjectWriteEvent(
                        written,
                        kind,
                        version.isInt64() ? (Long) version.asInt64().getValue() : null,
                        updated.isDateTime() ? (Long) updated.asDateTime().getValue() : null,
                        seconds * 1_000));
    }

    private static Stream<ChangeEvent> decodeBulkChange(BsonDocument event, String member) {
        return bucket(event, member).stream().map(ChangeEvent.BulkChangeEvent::new);
    }

    private static Optional<String> bucket(BsonDocument event, String member) {
        String collection = event.getDocument(member).getString("coll").getValue();
        return Optional.of(MongoCollections.bucket(collection)).filter(ObjectRef::isBucket);
    }

    /** True if more fields changed than the hidden ones for indexes. */
    private static boolean isVisible(BsonDocument event) {
        BsonArray names = event.getArray("names");
        return names.stream()
                .map(name -> name.asString().getValue())
                .anyMatch(name -> MongoCollections.HIDDEN_FIELDS.stream()
                        .noneMatch(held -> name.equals(held) || name.startsWith(held + ".")));
    }
}
