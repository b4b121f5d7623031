package io.orestes.app.module;

import io.orestes.app.config.ServerConfig;
import io.orestes.auth.account.BuiltInAccounts;
import io.orestes.auth.account.LoginService;
import io.orestes.auth.account.SessionRenewalService;
import io.orestes.auth.account.UserRegistration;
import io.orestes.auth.limit.LoginThrottle;
import io.orestes.auth.limit.RequestRateLimiter;
import io.orestes.auth.password.CredentialStore;
import io.orestes.auth.password.PasswordHashingPool;
import io.orestes.auth.password.PasswordService;
import io.orestes.auth.token.ApiTokens;
import io.orestes.auth.token.TokenService;
import io.orestes.cluster.DerivedState;
import io.orestes.cluster.ServerGroup;
import io.orestes.http.caller.UserServices;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.util.Optional;

/** The accounts, passwords, sessions and tokens of users, and the limits of their requests. */
public record UserModule(ServerConfig config, PasswordService passwords, UserServices services) {

    static UserModule create(Platform platform, DataModule data, AuthModule auth, DerivedState derived) {
        ServerConfig config = platform.config();
        ObjectStore store = data.storage().store();
        TokenService tokens = auth.tokens();
        CredentialStore credentials = credentials(store, data.group().group(), derived);
        PasswordService passwords = new PasswordService(
                store,
                credentials,
                platform.vertx(),
                new PasswordHashingPool(
                        platform.vertx(), config.auth(), config.limits().on()),
                new LoginThrottle(platform.clock(), config.limits()));
        UserServices services = new UserServices(
                auth.authenticator(),
                new UserRegistration(store, passwords, tokens),
                new LoginService(store, passwords, tokens),
                new SessionRenewalService(tokens, store),
                new ApiTokens(store, credentials, tokens),
                new BuiltInAccounts(store, passwords),
                new RequestRateLimiter(config.limits(), platform.clock()));
        return new UserModule(config, passwords, services);
    }

    private static CredentialStore credentials(ObjectStore store, ServerGroup group, DerivedState derived) {
        return new CredentialStore(store, user -> {
            derived.applyRightsChange(user);
            return group.broadcastRightsChange(user);
        });
    }

    /**
     * Creates the built-in accounts that are missing.
     *
     * @return the token with which the first administrator sets the root password; absent once it
     *     is set
     */
    public Future<Optional<String>> createBuiltInAccounts() {
        return services.root().bootstrap(config.rootPassword());
    }
}
