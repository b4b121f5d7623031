package io.orestes.replication;

import io.orestes.caching.sketch.SketchContents;
import io.orestes.model.ObjectRef;
import io.orestes.model.WriteOutcome;
import io.orestes.replication.link.DeliveryOutcome;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Set;
import org.bson.BsonDocument;

/** A message from one server of the group to another; processing it twice is harmless. */
sealed interface PeerMessage {

    /** Encodes the message as a document from which {@link PeerMessageCodec#decode} restores it. */
    BsonDocument encode();

    /** Applies the message to the receiving server. The outcome is its acknowledgement. */
    Future<DeliveryOutcome> apply(MessageTarget target);

    /**
     * An announcement that caches may retain copies of a key for some time, as the sender sends
     * them.
     */
    record CopyAdmission(String key, Duration time) implements PeerMessage {

        @Override
        public BsonDocument encode() {
            return PeerMessageCodec.copyAdmission(this);
        }

        @Override
        public Future<DeliveryOutcome> apply(MessageTarget target) {
            target.handler().caches().admitRemotely(target.sender(), key, time);
            return DeliveryOutcome.DONE;
        }
    }

    /** An announcement that a key has a newer state, so that copies of it are stale. */
    record Invalidation(String key) implements PeerMessage {

        @Override
        public BsonDocument encode() {
            return PeerMessageCodec.invalidation(this);
        }

        @Override
        public Future<DeliveryOutcome> apply(MessageTarget target) {
            target.handler().caches().invalidateRemotely(key);
            return DeliveryOutcome.DONE;
        }
    }

    /** An order of an administrator to purge every copy; copies that may remain count as stale. */
    record PurgeAll() implements PeerMessage {

        @Override
        public BsonDocument encode() {
            return PeerMessageCodec.kind(PeerMessageCodec.PURGE_ALL);
        }

        @Override
        public Future<DeliveryOutcome> apply(MessageTarget target) {
            target.handler().caches().purgeAllLocally();
            return DeliveryOutcome.DONE;
        }
    }

    /**
     * An order of an administrator to discard all cached state, including the record of existing
     * copies.
     */
    record ClearAll() implements PeerMessage {

        @Override
        public BsonDocument encode() {
            return PeerMessageCodec.kind(PeerMessageCodec.CLEAR_ALL);
        }

        @Override
        public Future<DeliveryOutcome> apply(MessageTarget target) {
            target.handler().caches().clearLocally();
            return DeliveryOutcome.DONE;
        }
    }

    /**
     * A notice of unknown writes by other programs than servers, in one class or, if its name is
     * empty, in any.
     */
    record MissedWrites(String bucket) implements PeerMessage {

        @Override
        public BsonDocument encode() {
            return PeerMessageCodec.missedWrites(this);
        }

        @Override
        public Future<DeliveryOutcome> apply(MessageTarget target) {
            target.handler().onWritesMissed(bucket);
            return DeliveryOutcome.DONE;
        }
    }

    /** The outcome of a write that the sender has committed to the store. */
    record CommittedWrite(WriteOutcome outcome) implements PeerMessage {

        @Override
        public BsonDocument encode() {
            return PeerMessageCodec.committedWrite(this);
        }

        @Override
        public Future<DeliveryOutcome> apply(MessageTarget target) {
            ReplicationHandler handler = target.handler();
            return handler.applyWrite(target.sender(), outcome).compose(unchangedFor -> handler.caches()
                    .awaitInvalidated()
                    .map(DeliveryOutcome.acknowledged(unchangedFor.orElse(null))));
        }
    }

    /** A notice that a user's rights or the validity of its tokens have changed. */
    record RightsChanged(ObjectRef user) implements PeerMessage {

        @Override
        public BsonDocument encode() {
            return PeerMessageCodec.rightsChanged(this);
        }

        @Override
        public Future<DeliveryOutcome> apply(MessageTarget target) {
            target.handler().onRightsChanged(user);
            return DeliveryOutcome.DONE;
        }
    }

    /**
     * An order to leave the stored objects of some classes alone while another server checks or
     * changes them for another schema.
     *
     * @param turn identifies the server's turn
     */
    record Pause(String turn, Set<String> buckets) implements PeerMessage {

        public Pause {
            buckets = Set.copyOf(buckets);
        }

        @Override
        public BsonDocument encode() {
            return PeerMessageCodec.pause(this);
        }

        @Override
        public Future<DeliveryOutcome> apply(MessageTarget target) {
            return target.handler().pause(turn, buckets).map(DeliveryOutcome.ACKNOWLEDGED);
        }
    }

    /**
     * A notice that the turn has ended: its stored objects are free again, and the stored schema is
     * valid for all servers.
     */
    record Resume(String turn) implements PeerMessage {

        @Override
        public BsonDocument encode() {
            return PeerMessageCodec.resume(this);
        }

        @Override
        public Future<DeliveryOutcome> apply(MessageTarget target) {
            return target.handler().resume(turn).map(DeliveryOutcome.ACKNOWLEDGED);
        }
    }

    /** A notice that the store contains a new schema. */
    record SchemaChanged() implements PeerMessage {

        @Override
        public BsonDocument encode() {
            return PeerMessageCodec.kind(PeerMessageCodec.SCHEMA_CHANGED);
        }

        @Override
        public Future<DeliveryOutcome> apply(MessageTarget target) {
            return target.handler().onSchemaChanged().map(DeliveryOutcome.ACKNOWLEDGED);
        }
    }

    /** A notice that the indexes of a class have changed. */
    record IndexesChanged(String bucket) implements PeerMessage {

        @Override
        public BsonDocument encode() {
            return PeerMessageCodec.indexesChanged(this);
        }

        @Override
        public Future<DeliveryOutcome> apply(MessageTarget target) {
            return target.handler().onIndexesChanged(bucket).map(DeliveryOutcome.ACKNOWLEDGED);
        }
    }

    /**
     * A notice that a member failed without leaving in order, so that nobody watches its queries
     * any more.
     */
    record MemberFailure(String member) implements PeerMessage {

        @Override
        public BsonDocument encode() {
            return PeerMessageCodec.memberFailure(this);
        }

        @Override
        public Future<DeliveryOutcome> apply(MessageTarget target) {
            target.membership().removeMember(member, false);
            return DeliveryOutcome.DONE;
        }
    }

    /** A notice that the sender leaves the group in order, after all its earlier messages. */
    record MemberDeparture() implements PeerMessage {

        @Override
        public BsonDocument encode() {
            return PeerMessageCodec.kind(PeerMessageCodec.MEMBER_DEPARTURE);
        }

        @Override
        public Future<DeliveryOutcome> apply(MessageTarget target) {
            target.membership().removeMember(target.sender(), true);
            return DeliveryOutcome.DONE;
        }
    }

    /**
     * One chunk of the sender's sketch in a state transfer.
     *
     * @param memory contents of the sketch; its times are the remaining ones, in milliseconds
     * @param isLast whether this is the last chunk
     * @param isComplete whether the sender's sketch covers all copies that the group ever sent
     */
    record StateChunk(SketchContents memory, boolean isLast, boolean isComplete) implements PeerMessage {

        @Override
        public BsonDocument encode() {
            return PeerMessageCodec.stateChunk(this);
        }

        @Override
        public Future<DeliveryOutcome> apply(MessageTarget target) {
            target.synchronization().merge(target.sender(), this);
            return DeliveryOutcome.DONE;
        }
    }
}
