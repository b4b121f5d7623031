package io.orestes.http;

import io.orestes.caching.Caches;
import io.orestes.config.Setting;
import io.orestes.http.body.BodyBudget;
import io.orestes.http.body.DiskBudget;
import io.orestes.http.caching.ReadSourceCounters;
import io.orestes.http.caller.UserServices;
import io.orestes.live.LiveEventExplainer;
import io.orestes.live.LiveQueryInspector;
import io.orestes.logging.RecentLogEntries;
import io.orestes.ops.Diagnostics;
import io.orestes.ops.Health;
import io.orestes.ops.Metrics;
import io.orestes.read.explanation.PermissionExplainer;
import io.orestes.read.object.BucketScanner;
import io.orestes.read.object.ObjectReader;
import io.orestes.read.object.ReferenceExpander;
import io.orestes.read.query.AggregateReader;
import io.orestes.read.query.ParameterizedQueryRepository;
import io.orestes.read.query.QueryReader;
import io.orestes.read.response.JsonRenderer;
import io.orestes.schema.ClassIndexes;
import io.orestes.schema.SchemaRegistry;
import io.orestes.socket.LiveServices;
import io.orestes.transaction.TransactionManager;
import io.orestes.wire.ResponseBudget;
import io.orestes.write.WritePipeline;
import java.util.List;

/** The thread-safe services that the routes of all event loops share. */
public record HttpServices(
        UserServices users,
        SchemaRegistry schemas,
        ClassIndexes indexes,
        Caches caches,
        ObjectReader objects,
        QueryReader queries,
        ReferenceExpander deep,
        ParameterizedQueryRepository prepared,
        AggregateReader aggregates,
        PermissionExplainer explainer,
        LiveEventExplainer liveEventExplainer,
        LiveQueryInspector liveInspection,
        BucketScanner bucketScanner,
        WritePipeline writes,
        TransactionManager transactions,
        JsonRenderer jsonRenderer,
        LiveServices live,
        BodyBudget bodies,
        DiskBudget files,
        ResponseBudget responseBudget,
        ReadSourceCounters reads,
        Health health,
        Diagnostics insight,
        Metrics metrics,
        List<Setting> settings,
        RecentLogEntries logs) {}
