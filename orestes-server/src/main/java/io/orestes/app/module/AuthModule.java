package io.orestes.app.module;

import io.orestes.auth.token.Authenticator;
import io.orestes.auth.token.TokenService;

/** The tokens of users, and the authenticator of their requests. */
public record AuthModule(TokenService tokens, Authenticator authenticator) {

    static AuthModule create(Platform platform, DataModule data) {
        TokenService tokens =
                new TokenService(data.secret().bytes(), platform.config().auth().sessionLifetime(), platform.clock());
        return new AuthModule(
                tokens,
                new Authenticator(tokens, data.storage().store(), data.group().group()::isCurrent));
    }
}
