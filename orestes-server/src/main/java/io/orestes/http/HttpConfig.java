package io.orestes.http;

import io.orestes.http.caller.TrustedProxies;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The configuration of the HTTP server: its address, its limits and its timeouts.
 *
 * @param host address to bind; {@code host}
 * @param port port to bind, 0 for a free one; {@code port}
 * @param maxBody maximum size of a body of an object, a query or a schema, in bytes; {@code
 *     http.max-body}
 * @param maxSchema maximum size of a body of a schema that an admin sends, in bytes; {@code
 *     http.max-schema}
 * @param maxImport maximum size of a body of an import, in bytes; {@code http.max-import}
 * @param spool folder for imports in progress
 * @param maxPendingBodies maximum bytes of all bodies in progress at a time; {@code
 *     http.max-pending-bodies}
 * @param bodyTimeout maximum time to receive a body, and a second longer for each 64 KiB of it;
 *     {@code http.body-timeout}
 * @param maxUri maximum length of a request line, in bytes; {@code http.max-uri}
 * @param idleTimeout time after which a silent connection is closed; {@code http.idle-timeout}
 * @param drainTimeout time that a stopping server waits for responses in progress; {@code
 *     http.drain-timeout}
 * @param trustedProxies proxies whose statements about client addresses are trusted; {@code
 *     http.trusted-proxies}
 */
public record HttpConfig(
        String host,
        int port,
        long maxBody,
        long maxSchema,
        long maxImport,
        Path spool,
        long maxPendingBodies,
        Duration bodyTimeout,
        int maxUri,
        Duration idleTimeout,
        Duration drainTimeout,
        TrustedProxies trustedProxies) {}
