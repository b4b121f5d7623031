package io.orestes.auth.token;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * The random secret with which all servers on one store sign tokens, created by the first of them.
 */
public final class TokenSigningSecret {

    private static final ObjectRef STORED = new ObjectRef("_secrets", "tokens");
    private static final String VALUE = "value";
    private static final int BYTES = 32;

    private TokenSigningSecret() {}

    /** Returns the stored secret; stores a new one if there is none. */
    public static Future<byte[]> of(ObjectStore store) {
        return store.find(STORED)
                .compose(found -> found.map(Future::succeededFuture).orElseGet(() -> create(store)))
                .map(object -> HexFormat.of()
                        .parseHex(object.document().getString(VALUE).getValue()));
    }

    /**
     * Stores a new secret. If several servers start concurrently, the first one stores it and the
     * others use it.
     */
    private static Future<StoredObject> create(ObjectStore store) {
        byte[] secret = new byte[BYTES];
        new SecureRandom().nextBytes(secret);
        return store.insert(
                        STORED,
                        new BsonDocument(VALUE, new BsonString(HexFormat.of().formatHex(secret))))
                .recover(failure -> isLostRace(failure)
                        ? store.find(STORED).map(Optional::orElseThrow)
                        : Future.failedFuture(failure));
    }

    private static boolean isLostRace(Throwable failure) {
        return ApiException.of(failure).code() == ErrorCode.OBJECT_EXISTS;
    }
}
