package io.orestes.replication;

import io.invalidb.model.VersionStamp;
import io.orestes.caching.sketch.SketchContents;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.model.WriteOutcome;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The codec between messages of the group and BSON documents, which name the kind of the message
 * under {@code is}.
 */
final class PeerMessageCodec {

    private static final String KIND = "is";
    private static final String KEY = "key";
    private static final String MILLIS = "ms";
    private static final String REF = "ref";
    private static final String OBJECT = "object";
    private static final String CREATED = "created";
    private static final String VERSION = "version";
    private static final String MEMBER = "member";
    private static final String KEYS = "keys";
    private static final String UNTRACKED = "untracked";
    private static final String ALL_STALE = "allStale";
    private static final String LAST = "last";
    private static final String COMPLETE = "complete";
    private static final String BUCKET = "bucket";
    private static final String BUCKETS = "buckets";
    private static final String TURN = "turn";

    private static final String COPY_ADMISSION = "held";
    private static final String INVALIDATION = "stale";
    private static final String STORED = "written";
    private static final String DELETED = "deleted";
    private static final String MISSED_WRITES = "missed";
    private static final String RIGHTS_CHANGED = "rights";
    private static final String MEMBER_FAILURE = "gone";
    private static final String STATE_CHUNK = "state";
    private static final String PAUSE = "pause";
    private static final String RESUME = "resume";
    private static final String INDEXES_CHANGED = "indexes";

    /** Kinds of messages without content. */
    static final String PURGE_ALL = "purged";

    static final String CLEAR_ALL = "cleared";
    static final String SCHEMA_CHANGED = "schema";
    static final String MEMBER_DEPARTURE = "leaving";

    private PeerMessageCodec() {}

    /** Encodes a message that has only a kind. */
    static BsonDocument kind(String kind) {
        return new BsonDocument(KIND, text(kind));
    }

    static BsonDocument copyAdmission(PeerMessage.CopyAdmission admission) {
        return kind(COPY_ADMISSION)
                .append(KEY, text(admission.key()))
                .append(MILLIS, number(admission.time().toMillis()));
    }

    static BsonDocument invalidation(PeerMessage.Invalidation invalidation) {
        return kind(INVALIDATION).append(KEY, text(invalidation.key()));
    }

    static BsonDocument missedWrites(PeerMessage.MissedWrites missed) {
        return kind(MISSED_WRITES).append(KEY, text(missed.bucket()));
    }

    static BsonDocument rightsChanged(PeerMessage.RightsChanged changed) {
        return kind(RIGHTS_CHANGED).append(REF, text(changed.user().id()));
    }

    static BsonDocument memberFailure(PeerMessage.MemberFailure failure) {
        return kind(MEMBER_FAILURE).append(MEMBER, text(failure.member()));
    }

    static BsonDocument pause(PeerMessage.Pause pause) {
        BsonArray buckets = new BsonArray();
        pause.buckets().forEach(bucket -> buckets.add(text(bucket)));
        return kind(PAUSE).append(TURN, text(pause.turn())).append(BUCKETS, buckets);
    }

    static BsonDocument resume(PeerMessage.Resume resume) {
        return kind(RESUME).append(TURN, text(resume.turn()));
    }

    static BsonDocument indexesChanged(PeerMessage.IndexesChanged changed) {
        return kind(INDEXES_CHANGED).append(BUCKET, text(changed.bucket()));
    }

    static BsonDocument committedWrite(PeerMessage.CommittedWrite write) {
        WriteOutcome outcome = write.outcome();
        BsonString id = text(outcome.ref().id());
        return outcome.storedObject()
                .map(stored -> kind(STORED).append(REF, id).append(OBJECT, stored.document()))
                .orElseGet(() -> kind(DELETED)
                        .append(REF, id)
                        .append(CREATED, number(outcome.stamp().incarnation()))
                        .append(VERSION, number(outcome.stamp().version())));
    }

    static BsonDocument stateChunk(PeerMessage.StateChunk chunk) {
        BsonArray keys = new BsonArray();
        chunk.memory().keys().forEach(key -> keys.add(key(key)));
        return kind(STATE_CHUNK)
                .append(UNTRACKED, number(chunk.memory().untrackedUntilMillis()))
                .append(ALL_STALE, number(chunk.memory().allStaleUntilMillis()))
                .append(KEYS, keys)
                .append(LAST, BsonBoolean.valueOf(chunk.isLast()))
                .append(COMPLETE, BsonBoolean.valueOf(chunk.isComplete()));
    }

    /** Decodes a message; fails with a runtime exception if the document is none. */
    static PeerMessage decode(BsonDocument document) {
        String kind = document.getString(KIND).getValue();
        return switch (kind) {
            case COPY_ADMISSION ->
                new PeerMessage.CopyAdmission(textOf(document, KEY), Duration.ofMillis(numberOf(document, MILLIS)));
            case INVALIDATION -> new PeerMessage.Invalidation(textOf(document, KEY));
            case STORED ->
                new PeerMessage.CommittedWrite(new StoredObject(ref(document), document.getDocument(OBJECT)));
            case DELETED -> new PeerMessage.CommittedWrite(tombstone(document));
            case MISSED_WRITES -> new PeerMessage.MissedWrites(textOf(document, KEY));
            case RIGHTS_CHANGED -> new PeerMessage.RightsChanged(ref(document));
            case MEMBER_FAILURE -> new PeerMessage.MemberFailure(textOf(document, MEMBER));
            case MEMBER_DEPARTURE -> new PeerMessage.MemberDeparture();
            case STATE_CHUNK -> readState(document);
            case PAUSE ->
                new PeerMessage.Pause(
                        textOf(document, TURN),
                        document.getArray(BUCKETS).stream()
                                .map(bucket -> bucket.asString().getValue())
                                .collect(Collectors.toUnmodifiableSet()));
            case RESUME -> new PeerMessage.Resume(textOf(document, TURN));
            case INDEXES_CHANGED -> new PeerMessage.IndexesChanged(textOf(document, BUCKET));
            case SCHEMA_CHANGED -> new PeerMessage.SchemaChanged();
            case PURGE_ALL -> new PeerMessage.PurgeAll();
            case CLEAR_ALL -> new PeerMessage.ClearAll();
            default -> throw new IllegalArgumentException("No message is a " + kind);
        };
    }

    private static Tombstone tombstone(BsonDocument document) {
        return new Tombstone(ref(document), new VersionStamp(numberOf(document, CREATED), numberOf(document, VERSION)));
    }

    private static BsonArray key(SketchContents.SketchEntry key) {
        BsonArray parts = new BsonArray();
        parts.add(text(key.name()));
        parts.add(number(key.cachedUntilMillis()));
        parts.add(number(key.staleUntilMillis()));
        parts.add(number(key.grantedLocallyUntilMillis()));
        return parts;
    }

    private static PeerMessage.StateChunk readState(BsonDocument document) {
        SketchContents memory = new SketchContents(
                numberOf(document, UNTRACKED),
                numberOf(document, ALL_STALE),
                document.getArray(KEYS).stream()
                        .map(BsonValue::asArray)
                        .map(PeerMessageCodec::readKey)
                        .toList());
        return new PeerMessage.StateChunk(
                memory,
                document.getBoolean(LAST).getValue(),
                document.getBoolean(COMPLETE).getValue());
    }

    private static SketchContents.SketchEntry readKey(BsonArray parts) {
        return new SketchContents.SketchEntry(
                parts.get(0).asString().getValue(),
                parts.get(1).asInt64().getValue(),
                parts.get(2).asInt64().getValue(),
                parts.get(3).asInt64().getValue());
    }

    private static ObjectRef ref(BsonDocument document) {
        Optional<ObjectRef> ref = ObjectRef.parse(textOf(document, REF));
        return ref.orElseThrow(() -> new IllegalArgumentException("Not an object: " + textOf(document, REF)));
    }

    private static BsonString text(String text) {
        return new BsonString(text);
    }

    private static BsonInt64 number(long number) {
        return new BsonInt64(number);
    }

    private static String textOf(BsonDocument document, String member) {
        return document.getString(member).getValue();
    }

    private static long numberOf(BsonDocument document, String member) {
        return document.getInt64(member).getValue();
    }
}
