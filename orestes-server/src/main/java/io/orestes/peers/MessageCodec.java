package io.orestes.peers;

import io.invalidb.model.Stamp;
import io.orestes.caching.sketch.SketchMemory;
import io.orestes.model.ObjectRef;
import io.orestes.model.Outcome;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Messages as documents and back; a message has its kind under {@code is}. */
final class MessageCodec {

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

    private MessageCodec() {}

    static BsonDocument encode(Message message) {
        if (message instanceof Message.Held held) {
            return kind("held")
                    .append(KEY, text(held.key()))
                    .append(MILLIS, number(held.time().toMillis()));
        }
        if (message instanceof Message.Stale stale) {
            return kind("stale").append(KEY, text(stale.key()));
        }
        if (message instanceof Message.Written written) {
            return outcome(written.outcome());
        }
        if (message instanceof Message.Missed missed) {
            return kind("missed").append(KEY, text(missed.bucket()));
        }
        if (message instanceof Message.RightsChanged changed) {
            return kind("rights").append(REF, text(changed.user().id()));
        }
        if (message instanceof Message.Gone gone) {
            return kind("gone").append(MEMBER, text(gone.member()));
        }
        if (message instanceof Message.State state) {
            return state(state);
        }
        if (message instanceof Message.Leaving) {
            return kind("leaving");
        }
        if (message instanceof Message.Purged) {
            return kind("purged");
        }
        return message instanceof Message.Cleared ? kind("cleared") : ofClasses(message);
    }

    private static BsonDocument ofClasses(Message message) {
        if (message instanceof Message.Pause pause) {
            return kind("pause")
                    .append(TURN, text(pause.turn()))
                    .append(
                            BUCKETS,
                            new BsonArray(pause.buckets().stream()
                                    .map(MessageCodec::text)
                                    .toList()));
        }
        if (message instanceof Message.Resume resume) {
            return kind("resume").append(TURN, text(resume.turn()));
        }
        return message instanceof Message.IndexesChanged changed
                ? kind("indexes").append(BUCKET, text(changed.bucket()))
                : kind("schema");
    }

    static Message decode(BsonDocument document) {
        String kind = document.getString(KIND).getValue();
        return switch (kind) {
            case "held" -> new Message.Held(textOf(document, KEY), Duration.ofMillis(numberOf(document, MILLIS)));
            case "stale" -> new Message.Stale(textOf(document, KEY));
            case "written" -> new Message.Written(new StoredObject(ref(document), document.getDocument(OBJECT)));
            case "deleted" -> new Message.Written(tombstone(document));
            case "missed" -> new Message.Missed(textOf(document, KEY));
            case "rights" -> new Message.RightsChanged(ref(document));
            case "gone" -> new Message.Gone(textOf(document, MEMBER));
            case "leaving" -> new Message.Leaving();
            case "state" -> readState(document);
            case "pause" ->
                new Message.Pause(
                        textOf(document, TURN),
                        document.getArray(BUCKETS).stream()
                                .map(bucket -> bucket.asString().getValue())
                                .collect(Collectors.toUnmodifiableSet()));
            case "resume" -> new Message.Resume(textOf(document, TURN));
            case "indexes" -> new Message.IndexesChanged(textOf(document, BUCKET));
            case "schema" -> new Message.SchemaChanged();
            case "purged" -> new Message.Purged();
            case "cleared" -> new Message.Cleared();
            default -> throw new IllegalArgumentException("No message is a " + kind);
        };
    }

    private static BsonDocument outcome(Outcome outcome) {
        if (outcome instanceof StoredObject stored) {
            return kind("written").append(REF, text(stored.ref().id())).append(OBJECT, stored.document());
        }
        Tombstone deleted = (Tombstone) outcome;
        return kind("deleted")
                .append(REF, text(deleted.ref().id()))
                .append(CREATED, number(deleted.stamp().incarnation()))
                .append(VERSION, number(deleted.stamp().version()));
    }

    private static Tombstone tombstone(BsonDocument document) {
        return new Tombstone(ref(document), new Stamp(numberOf(document, CREATED), numberOf(document, VERSION)));
    }

    private static BsonDocument state(Message.State state) {
        BsonArray keys = new BsonArray();
        state.memory().keys().forEach(key -> keys.add(key(key)));
        return kind("state")
                .append(UNTRACKED, number(state.memory().untrackedUntilMillis()))
                .append(ALL_STALE, number(state.memory().allStaleUntilMillis()))
                .append(KEYS, keys)
                .append(LAST, BsonBoolean.valueOf(state.isLast()))
                .append(COMPLETE, BsonBoolean.valueOf(state.isComplete()));
    }

    private static BsonArray key(SketchMemory.Key key) {
        BsonArray parts = new BsonArray();
        parts.add(text(key.name()));
        parts.add(number(key.heldUntilMillis()));
        parts.add(number(key.staleUntilMillis()));
        parts.add(number(key.hereUntilMillis()));
        return parts;
    }

    private static Message.State readState(BsonDocument document) {
        SketchMemory memory = new SketchMemory(
                numberOf(document, UNTRACKED),
                numberOf(document, ALL_STALE),
                document.getArray(KEYS).stream()
                        .map(BsonValue::asArray)
                        .map(MessageCodec::readKey)
                        .toList());
        return new Message.State(
                memory,
                document.getBoolean(LAST).getValue(),
                document.getBoolean(COMPLETE).getValue());
    }

    private static SketchMemory.Key readKey(BsonArray parts) {
        return new SketchMemory.Key(
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
