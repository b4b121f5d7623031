package io.orestes.read.query;

import org.jspecify.annotations.Nullable;

/**
 * The options of one query: how fresh its result must be, and which caches may store it.
 *
 * @param fresh true if only the newest committed state is allowed
 * @param hinted true if the result may be cached from its first request on, however many are
 *     cached (protocol §10.4)
 * @param url the URL under which other caches may store the response; null if only the response
 *     cache may
 */
public record QueryFreshnessOptions(boolean fresh, boolean hinted, @Nullable String url) {}
