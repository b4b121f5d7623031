package io.orestes.app.module;

import io.orestes.cluster.DerivedState;

/** The modules of services: authentication, reads, live queries, writes and accounts. */
public record ServiceModules(
        AuthModule auth, ReadModule read, LiveModule live, DerivedState derived, WriteModule write, UserModule users) {

    /** @param disconnectSubscribers closes all connections of live queries, soon */
    static ServiceModules create(Platform platform, DataModule data, Runnable disconnectSubscribers) {
        AuthModule auth = AuthModule.create(platform, data);
        ReadModule read = ReadModule.create(platform, data);
        LiveModule live = LiveModule.create(platform, data, auth);
        DerivedState derived = new DerivedState(
                data.caching().caches().administrator(),
                read.cachedQueries(),
                live.queries(),
                auth.authenticator(),
                disconnectSubscribers);
        data.schema().registry().onChange(derived::applySchemaChange);
        data.matching().cachedQueries().resolve(read.cachedQueries());
        data.matching().liveQueries().resolve(live.queries());
        WriteModule write = WriteModule.create(platform, data, derived);
        UserModule users = UserModule.create(platform, data, auth, derived);
        return new ServiceModules(auth, read, live, derived, write, users);
    }
}
