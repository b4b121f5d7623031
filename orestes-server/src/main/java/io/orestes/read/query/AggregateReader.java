package io.orestes.read.query;

import io.invalidb.aggregation.AggregateLimits;
import io.invalidb.aggregation.AggregateSpec;
import io.invalidb.aggregation.OneShotAggregate;
import io.invalidb.query.filter.Filter;
import io.orestes.auth.rights.AccessControl;
import io.orestes.model.Principal;
import io.orestes.model.ReadLevel;
import io.orestes.read.response.ConsistencyDefaults;
import io.orestes.read.response.JsonRenderer;
import io.orestes.read.response.ReadResult;
import io.orestes.read.response.ReaderDependencies;
import io.orestes.read.response.RenderedBody;
import io.orestes.read.response.ResponseFactory;
import io.orestes.schema.SchemaRegistry;
import io.orestes.schema.model.ClassOperation;
import io.orestes.schema.model.ClassSchema;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;

/** A reader of aggregates, which it computes object by object and which no cache stores. */
public final class AggregateReader {

    /** Estimated size in bytes of one group, with its key and its largest values. */
    private static final long BYTES_PER_GROUP = 16 * 1024;

    private final SchemaRegistry schemas;
    private final QueryParser parsing;
    private final ObjectStore store;
    private final JsonRenderer jsonRenderer;
    private final ResponseFactory responseFactory;
    private final ConsistencyDefaults consistency;
    private final AggregateLimits bounds;

    public AggregateReader(ReaderDependencies context, QueryParser parsing, QueryConfig config) {
        this.schemas = context.schemas();
        this.parsing = parsing;
        this.store = context.store();
        this.jsonRenderer = context.renderer();
        this.consistency = context.consistency();
        this.responseFactory = new ResponseFactory(context.clock());
        this.bounds = new AggregateLimits(
                Integer.MAX_VALUE, config.maxGroups(), Math.multiplyExact(BYTES_PER_GROUP, config.maxGroups()));
    }

    /**
     * Returns one row for each group of matching objects that the caller may read, in the order of
     * {@code _id}.
     *
     * @return fails with {@code SYNTAX_ERROR}, {@code QUERY_NOT_SUPPORTED}, which may also mean too
     *     many groups, {@code PERMISSION_DENIED} or {@code BUCKET_NOT_FOUND}
     */
    public Future<ReadResult> aggregate(Principal principal, AggregateRequest request, ReadLevel level) {
        ClassSchema schema = schemas.current().entity(request.bucket());
        schema.require(ClassOperation.QUERY, principal);
        AggregateSpec spec = parsing.aggregate(schema, request.aggregate());
        Filter asked = parsing.filter(schema, request.q());
        Filter readable = AccessControl.readCondition(principal).map(asked::and).orElse(asked);
        OneShotAggregate aggregate = new OneShotAggregate(spec, bounds);
        return store.visit(
                        request.bucket(),
                        readable,
                        consistency.level(request.bucket(), level),
                        object -> AggregateLimitErrors.translateErrors(() -> aggregate.add(object.document())))
                .map(done -> RenderedBody.hashed(jsonRenderer.rows(request.bucket(), spec, aggregate.rows())))
                .map(rows -> answer(principal, rows));
    }

    private ReadResult answer(Principal principal, RenderedBody rows) {
        return new ReadResult(
                principal.isAnonymous()
                        ? responseFactory.revalidated(rows, 0)
                        : responseFactory.privateResponse(rows, 0),
                ReadResult.ResponseSource.BYPASS);
    }
}
