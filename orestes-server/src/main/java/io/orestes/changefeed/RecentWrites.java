package io.orestes.changefeed;

import com.google.common.hash.HashCode;
import com.google.common.hash.Hashing;
import io.invalidb.model.VersionStamp;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.model.WriteOutcome;
import io.orestes.store.ChangeEvent;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A bounded memory of recent writes announced in the group, by which changes in the feed are
 * recognised. The reader of the feed recognises by it the changes that all servers already know.
 * Every server remembers the writes, since any server may become the reader. Thread-safe.
 */
public final class RecentWrites {

    /**
     * Longer than it takes to find out that a server is gone, and that another one reads on in its
     * place.
     */
    static final Duration KEPT = Duration.ofSeconds(60);

    /** Some 300 bytes each. */
    private static final int MOST = 100_000;

    private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

    private final LongSupplier nanoTime;
    private final Map<Key, RecentWrite> states = new LinkedHashMap<>();
    private final Map<String, RecentWrite> latest = new HashMap<>();
    private long completeSinceNanos;
    private boolean areDoubts;

    public RecentWrites() {
        this(System::nanoTime);
    }

    RecentWrites(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.completeSinceNanos = nanoTime.getAsLong();
    }

    /** Something was written, and is being told to all, by this server. */
    public void note(WriteOutcome writeOutcome) {
        if (!writeOutcome.ref().bucket().startsWith("_")) {
            put(
                    new RecentWrite(
                            writeOutcome.ref(), stamp(writeOutcome), content(writeOutcome), nanoTime.getAsLong()),
                    Key.of(writeOutcome));
        }
    }

    /** What was noted comes from another member of the group, which tells all. */
    public synchronized void heardFrom(String member, WriteOutcome writeOutcome) {
        RecentWrite recentWrite = states.get(Key.of(writeOutcome));
        if (recentWrite != null) {
            recentWrite.member = member;
        }
    }

    /** That member is gone, and may have died before it told everybody. */
    public synchronized void doubt(String member) {
        areDoubts = true;
        states.values().stream()
                .filter(recentWrite -> recentWrite.member.equals(member))
                .forEach(recentWrite -> recentWrite.isDoubtful = true);
    }

    /** Not everybody may have been told of the newest state of an object. */
    synchronized void doubt(ObjectRef ref) {
        RecentWrite recentWrite = latest.get(ref.id());
        if (recentWrite != null) {
            areDoubts = true;
            recentWrite.isDoubtful = true;
        }
    }

    /** Everybody was told what became of an object. */
    synchronized void trust(ObjectRef ref) {
        RecentWrite recentWrite = latest.get(ref.id());
        if (recentWrite != null) {
            recentWrite.isDoubtful = false;
        }
    }

    /** Objects of which not everybody may have been told. */
    synchronized List<ObjectRef> doubtful() {
        if (!areDoubts) {
            return List.of();
        }
        List<ObjectRef> doubtful = latest.values().stream()
                .filter(recentWrite -> recentWrite.isDoubtful)
                .map(recentWrite -> recentWrite.ref)
                .toList();
        areDoubts = !doubtful.isEmpty();
        return doubtful;
    }

    /** Those who read the changes begin anew, and what they have met already comes again. */
    synchronized void readAgain() {
        states.values().forEach(recentWrite -> recentWrite.isMet = true);
    }

    /**
     * Whether a change is the one that brought about a state which is known. To be asked once for
     * each change: a second one with the same version and time is not of a server.
     */
    synchronized boolean explains(ChangeEvent.ObjectWriteEvent change) {
        RecentWrite recentWrite = change.kind() == ChangeEvent.ChangeKind.DELETION
                ? latest.get(change.ref().id())
                : states.get(Key.of(change));
        if (recentWrite == null
                || recentWrite.isMet
                || recentWrite.isDoubtful
                || recentWrite.isEnd() != isDeletion(change)) {
            return false;
        }
        recentWrite.isMet = true;
        return true;
    }

    private static boolean isDeletion(ChangeEvent.ObjectWriteEvent change) {
        return change.kind() == ChangeEvent.ChangeKind.DELETION;
    }

    /**
     * A state that another program made was told to all as it is; the change that brought it about
     * was met.
     */
    synchronized void toldAsItIs(WriteOutcome writeOutcome) {
        RecentWrite recentWrite = states.get(Key.of(writeOutcome));
        if (recentWrite != null) {
            recentWrite.isMet = true;
            recentWrite.isOthers = true;
        }
    }

    /** Whether a change may become known, if whoever made it is about to tell of it. */
    synchronized boolean isAwaited(ChangeEvent.ObjectWriteEvent change) {
        return isDeletion(change)
                ? !hasEnded(change.ref())
                : change.kind() == ChangeEvent.ChangeKind.WHOLE
                        && change.version().isPresent()
                        && change.updatedAt().isPresent()
                        && !states.containsKey(Key.of(change));
    }

    /** Whether a state was made by a server, and all were told of exactly that. */
    boolean hasOwn(StoredObject state) {
        return has(state) && !isOthers(state);
    }

    private synchronized boolean isOthers(StoredObject state) {
        RecentWrite recentWrite = states.get(Key.of(state));
        return recentWrite != null && recentWrite.isOthers;
    }

    /** Whether all were told of exactly this state. */
    boolean has(StoredObject state) {
        return isKnown(state, false);
    }

    /** Whether exactly this state was told by somebody who may have died before all knew of it. */
    boolean hasDoubtful(StoredObject state) {
        return isKnown(state, true);
    }

    private boolean isKnown(StoredObject state, boolean isDoubtful) {
        HashCode content = digest(state.document());
        synchronized (this) {
            RecentWrite recentWrite = states.get(Key.of(state));
            return recentWrite != null && recentWrite.isDoubtful == isDoubtful && content.equals(recentWrite.content);
        }
    }

    /** Whether all were told that an object is gone, and of nothing later. */
    synchronized boolean hasEnded(ObjectRef ref) {
        RecentWrite recentWrite = latest.get(ref.id());
        return recentWrite != null && recentWrite.isEnd() && !recentWrite.isDoubtful;
    }

    /** For how long back every state is known that all were told of. */
    synchronized Duration reach() {
        Duration heard = Duration.ofNanos(nanoTime.getAsLong() - completeSinceNanos);
        return heard.compareTo(KEPT) < 0 ? heard : KEPT;
    }

    /** The newest state of an object that is known, or its end. */
    synchronized Optional<VersionStamp> latest(ObjectRef ref) {
        return Optional.ofNullable(latest.get(ref.id())).map(recentWrite -> recentWrite.versionStamp);
    }

    private synchronized void put(RecentWrite recentWrite, Key key) {
        RecentWrite former = states.remove(key);
        if (former != null && former.isMet) {
            recentWrite.isMet = true;
        }
        states.put(key, recentWrite);
        RecentWrite before = latest.get(recentWrite.ref.id());
        if (before == null || !before.versionStamp.isAfter(recentWrite.versionStamp)) {
            latest.put(recentWrite.ref.id(), recentWrite);
        }
        forget(nanoTime.getAsLong() - KEPT.toNanos());
    }

    private void forget(long sinceNanos) {
        Iterator<RecentWrite> eldest = states.values().iterator();
        RecentWrite next = eldest.next();
        while (states.size() > MOST || next.atNanos - sinceNanos < 0) {
            eldest.remove();
            latest.remove(next.ref.id(), next);
            completeSinceNanos = Math.max(completeSinceNanos, next.atNanos);
            next = eldest.next();
        }
    }

    private static VersionStamp stamp(WriteOutcome writeOutcome) {
        return writeOutcome instanceof StoredObject stored ? stored.stamp() : ((Tombstone) writeOutcome).stamp();
    }

    private static @Nullable HashCode content(WriteOutcome writeOutcome) {
        return writeOutcome instanceof StoredObject stored ? digest(stored.document()) : null;
    }

    private static HashCode digest(BsonDocument document) {
        BasicOutputBuffer bytes = new BasicOutputBuffer();
        try (BsonBinaryWriter writer = new BsonBinaryWriter(bytes)) {
            CODEC.encode(writer, document, EncoderContext.builder().build());
        }
        return Hashing.murmur3_128().hashBytes(bytes.getInternalBuffer(), 0, bytes.getPosition());
    }

    /**
     * Version and time, which no two states of an object have in common; both are 0 for its end.
     */
    private record Key(String id, long version, long updatedAt) {

        static Key of(WriteOutcome writeOutcome) {
            return writeOutcome instanceof StoredObject stored
                    ? new Key(stored.ref().id(), stored.version(), stored.updatedAt())
                    : new Key(writeOutcome.ref().id(), 0, 0);
        }

        static Key of(ChangeEvent.ObjectWriteEvent change) {
            return new Key(
                    change.ref().id(),
                    change.version().orElse(-1),
                    change.updatedAt().orElse(-1));
        }
    }

    /**
     * One announced state of an object, or its deletion, with what is known of its announcement.
     * Guarded by the memory.
     */
    private static final class RecentWrite {
        private final ObjectRef ref;
        private final VersionStamp versionStamp;
        private final @Nullable HashCode content;
        private final long atNanos;
        private String member = "";
        private boolean isMet;
        private boolean isOthers;
        private boolean isDoubtful;

        private RecentWrite(ObjectRef ref, VersionStamp versionStamp, @Nullable HashCode content, long atNanos) {
            this.ref = ref;
            this.versionStamp = versionStamp;
            this.content = content;
            this.atNanos = atNanos;
        }

        private boolean isEnd() {
            return content == null;
        }
    }
}
