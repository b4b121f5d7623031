package io.orestes.auth;

import io.orestes.model.ObjectRef;
import java.time.Instant;

/**
 * What a valid token says.
 *
 * @param user who is logged in
 * @param created when the token was issued, whole seconds
 * @param expires from when on it is worth nothing, whole seconds
 * @param mark stands for the password that the user had then, see {@link TokenService#mark}
 */
public record Session(ObjectRef user, Instant created, Instant expires, String mark) {}
