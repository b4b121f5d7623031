package io.orestes.changefeed;

import com.google.common.hash.HashCode;
import com.google.common.hash.Hashing;
import io.invalidb.model.VersionStamp;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.model.WriteOutcome;
import io.orestes.store.ChangeEvent;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A bounded memory of recent writes announced in the group. By it the reader of the feed recognises
 * changes that all servers already know. Every server records the writes, since any server may
 * become the reader. Thread-safe.
 */
public final class RecentWrites {

    /**
     * Retention, longer than the detection of a failed server and the start of its successor as
     * reader.
     */
    static final Duration RETENTION = Duration.ofSeconds(60);

    /** Maximum number of writes, of some 300 bytes each. */
    private static final int MAX_WRITES = 100_000;

    private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

    private final LongSupplier nanoTime;
    private final Map<WriteKey, RecentWrite> states = new LinkedHashMap<>();
    private final Map<String, RecentWrite> latest = new HashMap<>();
    private long completeSinceNanos;
    private boolean hasUnconfirmed;

    public RecentWrites() {
        this(System::nanoTime);
    }

    RecentWrites(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.completeSinceNanos = nanoTime.getAsLong();
    }

    /** Records a write that this server announces to all. */
    public void recordWrite(WriteOutcome writeOutcome) {
        if (!writeOutcome.ref().bucket().startsWith("_")) {
            put(
                    new RecentWrite(
                            writeOutcome.ref(), writeOutcome.stamp(), content(writeOutcome), nanoTime.getAsLong()),
                    WriteKey.of(writeOutcome));
        }
    }

    /**
     * Records that a noted write comes from another member of the group, which announces it to all.
     */
    public synchronized void recordRemoteWrite(String member, WriteOutcome writeOutcome) {
        RecentWrite recentWrite = states.get(WriteKey.of(writeOutcome));
        if (recentWrite != null) {
            recentWrite.member = member;
        }
    }

    /**
     * Marks the writes of a failed member as in doubt, because their announcements may be
     * incomplete.
     */
    public synchronized void suspectMember(String member) {
        hasUnconfirmed = true;
        states.values().stream()
                .filter(recentWrite -> recentWrite.member.equals(member))
                .forEach(recentWrite -> recentWrite.isUnconfirmed = true);
    }

    /**
     * Marks the newest state of an object as in doubt, because its announcement may be incomplete.
     */
    synchronized void addUnconfirmed(ObjectRef ref) {
        RecentWrite recentWrite = latest.get(ref.id());
        if (recentWrite != null) {
            hasUnconfirmed = true;
            recentWrite.isUnconfirmed = true;
        }
    }

    /** Marks the newest state of an object as announced to all. */
    synchronized void confirm(ObjectRef ref) {
        RecentWrite recentWrite = latest.get(ref.id());
        if (recentWrite != null) {
            recentWrite.isUnconfirmed = false;
        }
    }

    /** Returns the objects whose newest state may not be announced to all. */
    synchronized List<ObjectRef> unconfirmed() {
        if (!hasUnconfirmed) {
            return List.of();
        }
        List<ObjectRef> doubtful = latest.values().stream()
                .filter(recentWrite -> recentWrite.isUnconfirmed)
                .map(recentWrite -> recentWrite.ref)
                .toList();
        hasUnconfirmed = !doubtful.isEmpty();
        return doubtful;
    }

    /**
     * Prepares for a new reader of the feed, which reads changes again that were matched already.
     */
    synchronized void resetObserved() {
        states.values().forEach(recentWrite -> recentWrite.isObserved = true);
    }

    /**
     * Returns whether a change produced a recorded state. Must be called once for each change: a
     * second change with the same version and time is not of a server.
     */
    synchronized boolean tryObserve(ChangeEvent.ObjectWriteEvent change) {
        RecentWrite recentWrite = change.kind() == ChangeEvent.ChangeKind.DELETION
                ? latest.get(change.ref().id())
                : states.get(WriteKey.of(change));
        if (recentWrite == null
                || recentWrite.isObserved
                || recentWrite.isUnconfirmed
                || recentWrite.isEnd() != isDeletion(change)) {
            return false;
        }
        recentWrite.isObserved = true;
        return true;
    }

    private static boolean isDeletion(ChangeEvent.ObjectWriteEvent change) {
        return change.kind() == ChangeEvent.ChangeKind.DELETION;
    }

    /**
     * Records a state of another program that was announced to all unchanged; its change counts as
     * read.
     */
    synchronized void recordUnchanged(WriteOutcome writeOutcome) {
        RecentWrite recentWrite = states.get(WriteKey.of(writeOutcome));
        if (recentWrite != null) {
            recentWrite.isObserved = true;
            recentWrite.isExternal = true;
        }
    }

    /** Returns whether the announcement of a change may still arrive, if a server made it. */
    synchronized boolean isAwaited(ChangeEvent.ObjectWriteEvent change) {
        return isDeletion(change)
                ? !containsDeletion(change.ref())
                : change.kind() == ChangeEvent.ChangeKind.WHOLE
                        && change.version() != null
                        && change.updatedAt() != null
                        && !states.containsKey(WriteKey.of(change));
    }

    /** Returns whether a server made this state and announced exactly it to all. */
    boolean containsOwn(StoredObject state) {
        return contains(state) && !isOthers(state);
    }

    private synchronized boolean isOthers(StoredObject state) {
        RecentWrite recentWrite = states.get(WriteKey.of(state));
        return recentWrite != null && recentWrite.isExternal;
    }

    /** Returns whether exactly this state was announced to all. */
    boolean contains(StoredObject state) {
        return isKnown(state, false);
    }

    /**
     * Returns whether exactly this state comes from a member that may have failed before all
     * received it.
     */
    boolean containsUnconfirmed(StoredObject state) {
        return isKnown(state, true);
    }

    private boolean isKnown(StoredObject state, boolean isDoubtful) {
        HashCode content = digest(state.document());
        synchronized (this) {
            RecentWrite recentWrite = states.get(WriteKey.of(state));
            return recentWrite != null
                    && recentWrite.isUnconfirmed == isDoubtful
                    && content.equals(recentWrite.content);
        }
    }

    /** Returns whether the deletion of an object was announced to all, and nothing later. */
    synchronized boolean containsDeletion(ObjectRef ref) {
        RecentWrite recentWrite = latest.get(ref.id());
        return recentWrite != null && recentWrite.isEnd() && !recentWrite.isUnconfirmed;
    }

    /** Returns the age up to which every announced state is recorded. */
    synchronized Duration coveredTime() {
        Duration heard = Duration.ofNanos(nanoTime.getAsLong() - completeSinceNanos);
        return heard.compareTo(RETENTION) < 0 ? heard : RETENTION;
    }

    /** Returns the newest recorded state of an object, or its deletion. */
    synchronized Optional<VersionStamp> latest(ObjectRef ref) {
        return Optional.ofNullable(latest.get(ref.id())).map(recentWrite -> recentWrite.versionStamp);
    }

    private synchronized void put(RecentWrite recentWrite, WriteKey key) {
        RecentWrite former = states.remove(key);
        if (former != null && former.isObserved) {
            recentWrite.isObserved = true;
        }
        states.put(key, recentWrite);
        RecentWrite before = latest.get(recentWrite.ref.id());
        if (before == null || !before.versionStamp.isAfter(recentWrite.versionStamp)) {
            latest.put(recentWrite.ref.id(), recentWrite);
        }
        evict(nanoTime.getAsLong() - RETENTION.toNanos());
    }

    private void evict(long sinceNanos) {
        Iterator<RecentWrite> eldest = states.values().iterator();
        RecentWrite next = eldest.next();
        while (states.size() > MAX_WRITES || next.atNanos - sinceNanos < 0) {
            eldest.remove();
            latest.remove(next.ref.id(), next);
            completeSinceNanos = Math.max(completeSinceNanos, next.atNanos);
            next = eldest.next();
        }
    }

    private static @Nullable HashCode content(WriteOutcome writeOutcome) {
        return writeOutcome
                .storedObject()
                .map(stored -> digest(stored.document()))
                .orElse(null);
    }

    private static HashCode digest(BsonDocument document) {
        BasicOutputBuffer bytes = new BasicOutputBuffer();
        try (BsonBinaryWriter writer = new BsonBinaryWriter(bytes)) {
            CODEC.encode(writer, document, EncoderContext.builder().build());
        }
        return Hashing.murmur3_128().hashBytes(bytes.getInternalBuffer(), 0, bytes.getPosition());
    }

    /**
     * The version and time of a state, unique among the states of an object; both are 0 for its
     * deletion.
     */
    private record WriteKey(String id, long version, long updatedAt) {

        static WriteKey of(WriteOutcome writeOutcome) {
            String id = writeOutcome.ref().id();
            return writeOutcome
                    .storedObject()
                    .map(stored -> new WriteKey(id, stored.version(), stored.updatedAt()))
                    .orElseGet(() -> new WriteKey(id, 0, 0));
        }

        static WriteKey of(ChangeEvent.ObjectWriteEvent change) {
            return new WriteKey(
                    change.ref().id(),
                    Objects.requireNonNullElse(change.version(), -1L),
                    Objects.requireNonNullElse(change.updatedAt(), -1L));
        }
    }

    /**
     * One announced state of an object, or its deletion, with the progress of its announcement.
     * Guarded by the memory.
     */
    private static final class RecentWrite {
        private final ObjectRef ref;
        private final VersionStamp versionStamp;
        private final @Nullable HashCode content;
        private final long atNanos;
        private String member = "";
        private boolean isObserved;
        private boolean isExternal;
        private boolean isUnconfirmed;

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
