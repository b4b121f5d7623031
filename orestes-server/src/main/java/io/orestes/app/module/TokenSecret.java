package io.orestes.app.module;

import io.orestes.auth.token.TokenSigningSecret;
import io.vertx.core.Future;

/** The secret by which all servers on one store sign tokens and recognise each other. */
final class TokenSecret {

    private final byte[] bytes;

    private TokenSecret(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Loads the secret from the store; the first server on a store creates it. */
    static Future<TokenSecret> load(StorageModule storage) {
        return TokenSigningSecret.of(storage.store()).map(TokenSecret::new);
    }

    /** Returns the bytes, which nobody changes. */
    byte[] bytes() {
        return bytes;
    }
}
