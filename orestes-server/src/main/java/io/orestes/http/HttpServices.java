package io.orestes.http;

import io.orestes.caching.Caches;
import io.orestes.config.Setting;
import io.orestes.logging.RecentEntries;
import io.orestes.notify.LiveExplainer;
import io.orestes.notify.LiveInspection;
import io.orestes.ops.Health;
import io.orestes.ops.Insight;
import io.orestes.ops.Metrics;
import io.orestes.read.AggregateReader;
import io.orestes.read.BulkReader;
import io.orestes.read.DepthReader;
import io.orestes.read.Explainer;
import io.orestes.read.ObjectReader;
import io.orestes.read.PreparedQueries;
import io.orestes.read.QueryReader;
import io.orestes.read.Rendering;
import io.orestes.schema.ClassIndexes;
import io.orestes.schema.SchemaRegistry;
import io.orestes.socket.LiveServices;
import io.orestes.transaction.Transactions;
import io.orestes.wire.AnswerRoom;
import io.orestes.write.WritePipeline;
import java.util.List;

/** What the routes of every event loop share. All of it is thread-safe. */
public record HttpServices(
        UserServices users,
        SchemaRegistry schemas,
        ClassIndexes indexes,
        Caches caches,
        ObjectReader objects,
        QueryReader queries,
        DepthReader deep,
        PreparedQueries prepared,
        AggregateReader aggregates,
        Explainer explainer,
        LiveExplainer liveExplainer,
        LiveInspection liveInspection,
        BulkReader bulk,
        WritePipeline writes,
        Transactions transactions,
        Rendering rendering,
        LiveServices live,
        BodyBudget bodies,
        DiskBudget files,
        AnswerRoom answers,
        ReadCounts reads,
        Health health,
        Insight insight,
        Metrics metrics,
        List<Setting> settings,
        RecentEntries logs) {}
