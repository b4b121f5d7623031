package io.orestes.cluster;

import io.orestes.changefeed.ChangeFeedHandler;
import io.orestes.model.WriteOutcome;
import io.orestes.schema.SchemaRegistry;
import io.orestes.write.WritePublisher;
import io.vertx.core.Future;

/**
 * The handler of writes that no server of the group announced. It publishes them like own writes,
 * and after a gap it invalidates the state of whole classes on all servers.
 */
public final class ExternalWriteHandler implements ChangeFeedHandler {

    private final SchemaRegistry schemas;
    private final WritePublisher publisher;
    private final DerivedState derived;
    private final ServerGroup group;

    public ExternalWriteHandler(
            SchemaRegistry schemas, WritePublisher publisher, DerivedState derived, ServerGroup group) {
        this.schemas = schemas;
        this.publisher = publisher;
        this.derived = derived;
        this.group = group;
    }

    @Override
    public boolean isClass(String bucket) {
        return schemas.current().find(bucket).filter(type -> !type.embedded()).isPresent();
    }

    @Override
    public Future<Void> publish(WriteOutcome outcome) {
        return publisher.publish(outcome);
    }

    @Override
    public Future<Void> invalidate(String bucket) {
        derived.invalidate(bucket);
        return group.broadcastMissedWrites(bucket);
    }
}
