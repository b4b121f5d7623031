package io.orestes.auth.password;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import java.util.Objects;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * The credential of a user: the password hash and the number of token revocations. Tokens carry its
 * fingerprint, so every change of the credential ends all of the user's tokens.
 *
 * @param hash hash of the password; {@code null} if the user cannot log in by password
 * @param revocations number of times that all tokens were revoked without a new password
 */
public record Credential(@Nullable PasswordHash hash, long revocations) {

    /** Credential of a user who never had a password. */
    public static final Credential NONE = new Credential(null, 0);

    private static final String PASSWORD = "password";
    private static final String REVOCATIONS = "revocations";

    static Credential read(BsonDocument stored) {
        PasswordHash hash = stored.isString(PASSWORD)
                ? new PasswordHash(stored.getString(PASSWORD).getValue())
                : null;
        return new Credential(
                hash, stored.isInt64(REVOCATIONS) ? stored.getInt64(REVOCATIONS).getValue() : 0);
    }

    BsonDocument fields() {
        BsonDocument fields = new BsonDocument(REVOCATIONS, new BsonInt64(revocations));
        if (hash != null) {
            fields.append(PASSWORD, new BsonString(hash.text()));
        }
        return fields;
    }

    /** Returns the hash of the password; empty if the user cannot log in by password. */
    public Optional<PasswordHash> password() {
        return Optional.ofNullable(hash);
    }

    public Credential with(PasswordHash newHash) {
        return new Credential(newHash, revocations);
    }

    /**
     * Removes the password. Counts as a revocation: tokens from before the first password must not
     * become valid again.
     */
    public Credential withoutPassword() {
        return new Credential(null, revocations + 1);
    }

    public Credential revoked() {
        return new Credential(hash, revocations + 1);
    }

    /**
     * Returns this credential if it has the proven password; fails with {@code BAD_CREDENTIALS} if
     * the password was changed meanwhile.
     */
    Credential require(@Nullable PasswordHash proven) {
        if (!Objects.equals(hash, proven)) {
            throw new ApiException(ErrorCode.BAD_CREDENTIALS, "The password was changed meanwhile");
        }
        return this;
    }

    /** Returns a text that differs for any two states of the credential of one user. */
    public String text() {
        return revocations + (hash == null ? "" : hash.text());
    }
}
