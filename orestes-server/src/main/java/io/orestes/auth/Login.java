package io.orestes.auth;

import io.orestes.model.StoredObject;

/**
 * A successful log-in.
 *
 * @param user the user object
 * @param token the new session's token
 */
public record Login(StoredObject user, String token) {}
