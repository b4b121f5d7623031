package io.orestes.changefeed;

import static io.orestes.store.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.model.VersionStamp;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.model.WriteOutcome;
import io.orestes.store.ChangeEvent;
import io.orestes.store.ChangeFeed;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Each change is published once, independent of its writer, of failed servers and of what was read
 * and published before.
 */
@Timeout(120)
final class ChangeReconcilerTest {

    private static final ObjectRef REF = new ObjectRef("Todo", "a");
    private static final long NOW = 1_700_000_000_000L;

    private final Vertx vertx = Vertx.vertx();
    private final AtomicLong nanos = new AtomicLong();
    private final RecentWrites known = new RecentWrites(nanos::get);
    private final SingleObjectFeed store = new SingleObjectFeed();
    private final List<WriteOutcome> published = new ArrayList<>();
    private Function<WriteOutcome, Future<Void>> telling = writeOutcome -> Future.succeededFuture();
    private final ChangeReconciler changeReconciler = new ChangeReconciler(
            vertx,
            store,
            this::publish,
            known,
            new ChangeFeedMetrics(new SimpleMeterRegistry(), () -> ChangeFeedConsumerStatus.FOLLOWING));

    @AfterEach
    void close() {
        await(vertx.close());
    }

    @Test
    void ownWrite_wasAnnounced_isNotPublishedAgain() {
        StoredObject written = store.put(object(3, "own"));
        known.recordWrite(written);

        check(whole(written));

        assertThat(published).isEmpty();
    }

    @Test
    void ownWrite_isAnnouncedALittleLater_isNotPublishedAgain() {
        StoredObject written = store.put(object(3, "own"));
        vertx.setTimer(50, later -> known.recordWrite(written));

        check(whole(written));

        assertThat(published).isEmpty();
    }

    @Test
    void ownWrite_isNeverAnnounced_isPublishedAsItIs() {
        StoredObject written = store.put(object(3, "untold"));

        check(whole(written));

        assertThat(published).containsExactly(written);
    }

    @Test
    void ownWrite_announcerHasDeparted_isPublishedAgain() {
        StoredObject written = store.put(object(3, "own"));
        known.recordWrite(written);
        known.recordRemoteWrite("gone", written);
        check(whole(written));
        assertThat(published).isEmpty();

        known.suspectMember("gone");
        check();
        check();

        assertThat(published).containsExactly(written);
    }

    /** No other state uses its version. */
    @Test
    void ownWrite_announcerDepartsBeforeItsChangeIsRead_keepsItsVersion() {
        StoredObject written = store.put(object(3, "own"));
        known.recordWrite(written);
        known.recordRemoteWrite("gone", written);
        known.suspectMember("gone");

        check(whole(written));
        known.resetObserved();
        check(whole(written));

        assertThat(store.current).isEqualTo(written);
        assertThat(published).containsExactly(written);
    }

    @Test
    void deletion_announcerHasDeparted_isPublishedAgain() {
        Tombstone gone = new Tombstone(REF, new VersionStamp(NOW, 4));
        known.recordWrite(gone);
        known.recordRemoteWrite("gone", gone);

        known.suspectMember("gone");
        check();
        check();

        assertThat(published).hasSize(1).allMatch(Tombstone.class::isInstance);
    }

    @Test
    void partOfAnOwnState_isChanged_getsTheNextVersion() {
        StoredObject own = store.put(object(3, "own"));
        known.recordWrite(own);
        check(whole(own));
        store.put(object(3, "changed"));

        check(part(null));

        assertThat(published).containsExactly(store.current);
        assertThat(store.current.version()).isEqualTo(4);
    }

    /** Its readers, which queries use, are those of the permissions before. */
    @Test
    void permissions_areChangedWithANewVersion_getTheNextVersion() {
        StoredObject own = store.put(object(3, "own"));
        known.recordWrite(own);
        check(whole(own));
        store.putWithOutdatedReaders(object(4, "changed"));

        check(part(4L));

        assertThat(published).containsExactly(store.current);
        assertThat(store.current.version()).isEqualTo(5);
    }

    @Test
    void ownState_isPutBackWithOtherContent_getsTheNextVersion() {
        StoredObject own = store.put(object(3, "own"));
        known.recordWrite(own);
        check(whole(own));
        StoredObject changed = store.put(object(3, "changed"));

        check(whole(changed));

        assertThat(store.current.version()).isEqualTo(4);
        assertThat(published).containsExactly(store.current);
    }

    @Test
    void stateOfLongAgo_isPutBackWithOtherContent_getsTheNextVersion() {
        nanos.set(TimeUnit.HOURS.toNanos(1));
        StoredObject changed = store.put(object(3, "changed"));

        check(late(changed, 61_000));

        assertThat(store.current.version()).isEqualTo(4);
    }

    /**
     * The publication is unknown, as the server has not received the messages of the others for
     * that long.
     */
    @Test
    void stateOfBeforeTheStart_isPutBackWithOtherContent_getsTheNextVersion() {
        nanos.set(TimeUnit.SECONDS.toNanos(5));
        StoredObject changed = store.put(object(3, "changed"));

        check(late(changed, 30_000));

        assertThat(store.current.version()).isEqualTo(4);
    }

    /** Its server was suspended between the assignment of the time and the commit. */
    @Test
    void ownWrite_committedLongAfterItsTime_keepsItsVersion() {
        known.recordWrite(object(3, "own"));
        StoredObject written = store.put(object(4, "late"));

        check(late(written, 61_000));

        assertThat(store.current).isEqualTo(written);
        assertThat(published).containsExactly(written);
    }

    @Test
    void ownWrite_committedLongAfterItsTimeOfAnObjectNotWrittenLately_keepsItsVersion() {
        nanos.set(TimeUnit.MINUTES.toNanos(1));
        StoredObject written = store.put(object(4, "late"));

        check(late(written, 30_000));

        assertThat(store.current).isEqualTo(written);
        assertThat(published).containsExactly(written);
    }

    /**
     * A state that is published unchanged may include an earlier change by another program. The
     * event of that change comes later and must not count as explained.
     */
    @Test
    void externalState_isChangedBeforePublication_getsTheNextVersionAfterwards() {
        StoredObject both = store.put(object(3, "two writes"));

        check(whole(both));
        check(part(null));

        assertThat(store.current.version()).isEqualTo(4);
        assertThat(published).containsExactly(both, store.current);
    }

    @Test
    void part_bringsItsVersion_isPublishedAsItIs() {
        known.recordWrite(object(3, "own"));
        StoredObject counted = store.put(object(4, "counted"));

        check(part(4L));

        assertThat(published).containsExactly(counted);
    }

    @Test
    void change_ownWriteSince_isIgnored() {
        StoredObject own = store.put(object(5, "own"));
        known.recordWrite(own);

        check(part(null), part(4L));

        assertThat(published).isEmpty();
        assertThat(store.current.version()).isEqualTo(5);
    }

    @Test
    void object_wasNormalised_isPublished() {
        StoredObject adopted = store.put(object(1, "new"));
        store.isAdopted = true;

        check(new ChangeEvent.ObjectWriteEvent(REF, ChangeEvent.ChangeKind.WHOLE, null, null, NOW));

        assertThat(published).containsExactly(adopted);
    }

    @Test
    void deletion_ofAnother_endsTheStateThatIsKnown() {
        known.recordWrite(object(3, "own"));

        check(new ChangeEvent.ObjectWriteEvent(REF, ChangeEvent.ChangeKind.DELETION, null, null, NOW));

        assertThat(published).containsExactly(new Tombstone(REF, new VersionStamp(NOW, 4)));
    }

    @Test
    void publication_fails_isRepeatedAlthoughThisServerKnows() {
        StoredObject written = store.put(object(3, "untold"));
        telling = writeOutcome -> {
            telling = next -> Future.succeededFuture();
            return Future.failedFuture("cut off");
        };

        boolean isPublished = await(
                changeReconciler.reconcile(List.of(whole(written))).map(true).otherwise(false));
        assertThat(isPublished).isFalse();
        check(whole(written));

        assertThat(published).contains(store.current);
        assertThat(known.contains(store.current)).isTrue();
    }

    @Test
    void changes_areReadAgain_areRecognisedByTheirContent() {
        StoredObject own = store.put(object(3, "own"));
        known.recordWrite(own);
        check(whole(own));

        known.resetObserved();
        check(whole(own));

        assertThat(published).isEmpty();
        assertThat(store.current).isEqualTo(own);
    }

    private Future<Void> publish(WriteOutcome writeOutcome) {
        known.recordWrite(writeOutcome);
        return telling.apply(writeOutcome).compose(all -> {
            published.add(writeOutcome);
            return Future.succeededFuture();
        });
    }

    private void check(ChangeEvent.ObjectWriteEvent... changes) {
        await(changeReconciler.reconcile(List.of(changes)));
    }

    private static ChangeEvent.ObjectWriteEvent whole(StoredObject state) {
        return new ChangeEvent.ObjectWriteEvent(
                REF, ChangeEvent.ChangeKind.WHOLE, state.version(), state.updatedAt(), NOW);
    }

    private static ChangeEvent.ObjectWriteEvent late(StoredObject state, long millis) {
        return new ChangeEvent.ObjectWriteEvent(
                REF, ChangeEvent.ChangeKind.WHOLE, state.version(), state.updatedAt(), state.updatedAt() + millis);
    }

    private static ChangeEvent.ObjectWriteEvent part(@Nullable Long version) {
        return new ChangeEvent.ObjectWriteEvent(REF, ChangeEvent.ChangeKind.PART, version, null, NOW);
    }

    private static StoredObject object(long version, String text) {
        return new StoredObject(
                REF,
                new BsonDocument("_id", new BsonString(REF.id()))
                        .append("version", new BsonInt64(version))
                        .append("createdAt", new BsonDateTime(NOW))
                        .append("updatedAt", new BsonDateTime(NOW + version))
                        .append("text", new BsonString(text)));
    }

    /** A store with at most one object. */
    private static final class SingleObjectFeed implements ChangeFeed {

        private StoredObject current = object(0, "nothing");
        private boolean isThere;
        private boolean isAdopted;
        private boolean hasCurrentReaders = true;

        private StoredObject putWithOutdatedReaders(StoredObject state) {
            hasCurrentReaders = false;
            return put(state);
        }

        private StoredObject put(StoredObject state) {
            current = state;
            isThere = true;
            return state;
        }

        @Override
        public Future<Optional<FeedPosition>> savedPosition() {
            return Future.failedFuture("unexpected call");
        }

        @Override
        public Future<Void> savePosition(FeedPosition place) {
            return Future.failedFuture("unexpected call");
        }

        @Override
        public Future<ChangeFeedReader> open() {
            return Future.failedFuture("unexpected call");
        }

        @Override
        public Future<ChangeFeedReader> open(FeedPosition after) {
            return Future.failedFuture("unexpected call");
        }

        @Override
        public Future<Optional<ObservedState>> current(ObjectRef ref) {
            return Future.succeededFuture(
                    isThere ? Optional.of(new ObservedState(current, isAdopted, hasCurrentReaders)) : Optional.empty());
        }

        @Override
        public Future<Optional<StoredObject>> incrementVersion(ObjectRef ref, @Nullable VersionStamp known) {
            String text = current.document().getString("text").getValue();
            return Future.succeededFuture(Optional.of(put(object(current.version() + 1, text))));
        }

        @Override
        public Future<Tombstone> recordDeletion(ObjectRef ref, @Nullable VersionStamp known) {
            VersionStamp last = Objects.requireNonNull(known);
            return Future.succeededFuture(new Tombstone(ref, new VersionStamp(last.incarnation(), last.version() + 1)));
        }
    }
}
