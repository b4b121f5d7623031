package io.orestes.auth.account;

import io.orestes.auth.token.Session;
import io.orestes.model.StoredObject;

/**
 * The result of opening or resuming a session: the user object and the session token.
 *
 * @param user the user object
 * @param token the session's token
 * @param kind kind of the token; only sessions issue new tokens
 */
public record OpenedSession(StoredObject user, String token, Session.Kind kind) {}
