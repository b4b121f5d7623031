package io.orestes.auth;

import io.orestes.model.StoredObject;

/**
 * A session that was opened or goes on.
 *
 * @param user the user object
 * @param token the session's token
 * @param kind that of the token; only sessions hand on new tokens
 */
public record LoginResult(StoredObject user, String token, Session.Kind kind) {}
