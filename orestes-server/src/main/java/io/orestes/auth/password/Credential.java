package io.orestes.auth.password;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;

/**
 * The credential of a user: the password hash and the number of token revocations. Tokens carry its
 * fingerprint, so every change of the credential ends all of the user's tokens.
 *
 * @param password absent if the user cannot log in by password
 * @param revocations number of times that all tokens were revoked without a new password
 */
public record Credential(Optional<PasswordHash> password, long revocations) {

    /** Credential of a user who never had a password. */
    public static final Credential NONE = new Credential(Optional.empty(), 0);

    private static final String PASSWORD = "password";
    private static final String REVOCATIONS = "revocations";

    static Credential read(BsonDocument stored) {
        Optional<PasswordHash> password = stored.isString(PASSWORD)
                ? Optional.of(new PasswordHash(stored.getString(PASSWORD).getValue()))
                : Optional.empty();
        return new Credential(
                password,
                stored.isInt64(REVOCATIONS) ? stored.getInt64(REVOCATIONS).getValue() : 0);
    }

    BsonDocument fields() {
        BsonDocument fields = new BsonDocument(REVOCATIONS, new BsonInt64(revocations));
        password.ifPresent(hash -> fields.append(PASSWORD, new BsonString(hash.text())));
        return fields;
    }

    public Credential with(PasswordHash hash) {
        return new Credential(Optional.of(hash), revocations);
    }

    /**
     * Removes the password. Counts as a revocation: tokens from before the first password must not
     * become valid again.
     */
    public Credential withoutPassword() {
        return new Credential(Optional.empty(), revocations + 1);
    }

    public Credential revoked() {
        return new Credential(password, revocations + 1);
    }

    /**
     * Returns this credential if it has the proven password; fails with {@code BAD_CREDENTIALS} if
     * the password was changed meanwhile.
     */
    Credential require(Optional<PasswordHash> proven) {
        if (!password.equals(proven)) {
            throw new ApiException(ErrorCode.BAD_CREDENTIALS, "The password was changed meanwhile");
        }
        return this;
    }

    /** Returns a text that differs for any two states of the credential of one user. */
    public String text() {
        return revocations + password.map(PasswordHash::text).orElse("");
    }
}
