package io.orestes.app.module;

import io.orestes.app.config.ServerConfig;
import io.orestes.cluster.ServerDiagnostics;
import io.orestes.cluster.ServerGroup;
import io.orestes.http.HttpServices;
import io.orestes.http.HttpVerticle;
import io.orestes.http.HttpVerticles;
import io.orestes.http.admin.AdminServices;
import io.orestes.http.body.BodyBudget;
import io.orestes.http.body.BodyBudgets;
import io.orestes.http.body.DiskBudget;
import io.orestes.http.caching.CacheKeyResolver;
import io.orestes.http.caching.CachingServices;
import io.orestes.http.caching.ReadSourceCounters;
import io.orestes.http.data.DataServices;
import io.orestes.live.LiveEventExplainer;
import io.orestes.live.LiveQueryInspector;
import io.orestes.logging.LogSetup;
import io.orestes.ops.Health;
import io.orestes.read.explanation.PermissionExplainer;
import io.orestes.schema.ClassIndexService;
import io.orestes.socket.LiveServices;
import io.orestes.wire.ResponseBudget;
import io.vertx.core.Future;
import java.util.List;

/** The HTTP servers, one for each event loop, with the services that their routes share. */
public record HttpModule(Platform platform, HttpVerticles verticles, HttpServices services) {

    static HttpModule create(
            Platform platform,
            DataModule data,
            ServiceModules modules,
            ReplicationReceiverModule replication,
            HttpVerticles verticles) {
        ServerConfig config = platform.config();
        ResponseBudget responses = ResponseBudget.ofMemory(
                platform.vertx(),
                config.http().bodyTimeout(),
                platform.metrics().registry());
        HttpServices services = new HttpServices(
                modules.users().services(),
                data(data, modules),
                caching(platform, data, modules.read()),
                admin(platform, data, modules, replication),
                live(platform, data, modules, responses),
                new BodyBudgets(
                        new BodyBudget(
                                config.http().maxPendingBodies(),
                                platform.metrics().registry()),
                        new DiskBudget()),
                responses);
        return new HttpModule(platform, verticles, services);
    }

    private static DataServices data(DataModule data, ServiceModules modules) {
        return new DataServices(
                data.schema().registry(),
                new ClassIndexService(data.storage().store()),
                modules.read().services(),
                modules.write().writes(),
                modules.write().transactions(),
                data.schema().renderer());
    }

    private static CachingServices caching(Platform platform, DataModule data, ReadModule read) {
        return new CachingServices(
                data.caching().caches(),
                new ReadSourceCounters(platform.metrics().registry()),
                new CacheKeyResolver(data.schema().registry(), read.services().queries()));
    }

    private static AdminServices admin(
            Platform platform, DataModule data, ServiceModules modules, ReplicationReceiverModule replication) {
        StorageModule storage = data.storage();
        SchemaModule schema = data.schema();
        MatchingModule matching = data.matching();
        LiveModule live = modules.live();
        ServerGroup group = data.group().group();
        return new AdminServices(
                new Health(storage.description(), storage.probe(), replication::feedState),
                new ServerDiagnostics(
                        platform.vertx(),
                        group,
                        matching.client(),
                        modules.users().passwords()),
                platform.metrics(),
                new PermissionExplainer(
                        modules.auth().authenticator(), schema.registry(), schema.parser(), storage.store()),
                new LiveEventExplainer(
                        live.requests(), live.queries(), matching.client(), storage.store(), !group.isStandalone()),
                new LiveQueryInspector(live.queries(), matching.client(), matching.latency()),
                platform.config().settings(),
                LogSetup.recent());
    }

    private static LiveServices live(
            Platform platform, DataModule data, ServiceModules modules, ResponseBudget responses) {
        return new LiveServices(
                modules.auth().authenticator(),
                modules.live().requests(),
                modules.live().queries(),
                data.schema().renderer(),
                platform.config().live(),
                responses,
                data.caching().caches().replica()::clientFilter,
                data.group().group()::isSynchronized);
    }

    /** Accepts requests, once files of a crashed process are removed. */
    public Future<Void> listen() {
        ServerConfig config = platform.config();
        return HttpVerticle.deleteSpooledFiles(platform.vertx(), config.http())
                .compose(deleted -> verticles.deploy(config.http(), services, config.demo()))
                .onSuccess(deployed -> services.admin().health().ready());
    }

    /** Returns the base of all URLs, without a slash at the end. */
    public String url() {
        return "http://" + platform.config().http().host() + ":" + verticles.port();
    }

    /** Returns every method and path of the interface, e.g. {@code GET /db/:bucket}. */
    public List<String> endpoints() {
        return verticles.endpoints();
    }

    /** Stops to accept requests, after the responses in progress; never fails. */
    public Future<Void> stop() {
        return verticles.undeploy();
    }

    /** Marks the server as stopping, and closes the connections of live queries; never fails. */
    public Future<Void> drain() {
        services.admin().health().startDraining();
        return verticles.disconnectSubscribers();
    }
}
