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

    private PeerMessageCodec() {}

    static BsonDocument encode(PeerMessage peerMessage) {
        if (peerMessage instanceof PeerMessage.CopyAdmission held) {
            return kind("held")
                    .append(KEY, text(held.key()))
                    .append(MILLIS, number(held.time().toMillis()));
        }
        if (peerMessage instanceof PeerMessage.Invalidation stale) {
            return kind("stale").append(KEY, text(stale.key()));
        }
        if (peerMessage instanceof PeerMessage.CommittedWrite written) {
            return outcome(written.outcome());
        }
        if (peerMessage instanceof PeerMessage.MissedWrites missed) {
            return kind("missed").append(KEY, text(missed.bucket()));
        }
        if (peerMessage instanceof PeerMessage.RightsChanged changed) {
            return kind("rights").append(REF, text(changed.user().id()));
        }
        if (peerMessage instanceof PeerMessage.MemberFailure gone) {
            return kind("gone").append(MEMBER, text(gone.member()));
        }
        if (peerMessage instanceof PeerMessage.StateChunk state) {
            return state(state);
        }
        if (peerMessage instanceof PeerMessage.MemberDeparture) {
            return kind("leaving");
        }
        if (peerMessage instanceof PeerMessage.PurgeAll) {
            return kind("purged");
        }
        return peerMessage instanceof PeerMessage.ClearAll ? kind("cleared") : ofClasses(peerMessage);
    }

    private static BsonDocument ofClasses(PeerMessage peerMessage) {
        if (peerMessage instanceof PeerMessage.Pause pause) {
            return kind("pause")
                    .append(TURN, text(pause.turn()))
                    .append(
                            BUCKETS,
                            new BsonArray(pause.buckets().stream()
                                    .map(PeerMessageCodec::text)
                                    .toList()));
        }
        if (peerMessage instanceof PeerMessage.Resume resume) {
            return kind("resume").append(TURN, text(resume.turn()));
        }
        return peerMessage instanceof PeerMessage.IndexesChanged changed
                ? kind("indexes").append(BUCKET, text(changed.bucket()))
                : kind("schema");
    }

    static PeerMessage decode(BsonDocument document) {
        String kind = document.getString(KIND).getValue();
        return switch (kind) {
            case "held" ->
                new PeerMessage.CopyAdmission(textOf(document, KEY), Duration.ofMillis(numberOf(document, MILLIS)));
            case "stale" -> new PeerMessage.Invalidation(textOf(document, KEY));
            case "written" ->
                new PeerMessage.CommittedWrite(new StoredObject(ref(document), document.getDocument(OBJECT)));
            case "deleted" -> new PeerMessage.CommittedWrite(tombstone(document));
            case "missed" -> new PeerMessage.MissedWrites(textOf(document, KEY));
            case "rights" -> new PeerMessage.RightsChanged(ref(document));
            case "gone" -> new PeerMessage.MemberFailure(textOf(document, MEMBER));
            case "leaving" -> new PeerMessage.MemberDeparture();
            case "state" -> readState(document);
            case "pause" ->
                new PeerMessage.Pause(
                        textOf(document, TURN),
                        document.getArray(BUCKETS).stream()
                                .map(bucket -> bucket.asString().getValue())
                                .collect(Collectors.toUnmodifiableSet()));
            case "resume" -> new PeerMessage.Resume(textOf(document, TURN));
            case "indexes" -> new PeerMessage.IndexesChanged(textOf(document, BUCKET));
            case "schema" -> new PeerMessage.SchemaChanged();
            case "purged" -> new PeerMessage.PurgeAll();
            case "cleared" -> new PeerMessage.ClearAll();
            default -> throw new IllegalArgumentException("No message is a " + kind);
        };
    }

    private static BsonDocument outcome(WriteOutcome writeOutcome) {
        BsonString id = text(writeOutcome.ref().id());
        return writeOutcome
                .storedObject()
                .map(stored -> kind("written").append(REF, id).append(OBJECT, stored.document()))
                .orElseGet(() -> kind("deleted")
                        .append(REF, id)
                        .append(CREATED, number(writeOutcome.stamp().incarnation()))
                        .append(VERSION, number(writeOutcome.stamp().version())));
    }

    private static Tombstone tombstone(BsonDocument document) {
        return new Tombstone(ref(document), new VersionStamp(numberOf(document, CREATED), numberOf(document, VERSION)));
    }

    private static BsonDocument state(PeerMessage.StateChunk state) {
        BsonArray keys = new BsonArray();
        state.memory().keys().forEach(key -> keys.add(key(key)));
        return kind("state")
                .append(UNTRACKED, number(state.memory().untrackedUntilMillis()))
                .append(ALL_STALE, number(state.memory().allStaleUntilMillis()))
                .append(KEYS, keys)
                .append(LAST, BsonBoolean.valueOf(state.isLast()))
                .append(COMPLETE, BsonBoolean.valueOf(state.isComplete()));
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

    private static BsonDocument kind(String kind) {
        return new BsonDocument(KIND, text(kind));
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
