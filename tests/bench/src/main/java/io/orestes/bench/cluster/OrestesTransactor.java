package io.orestes.bench.cluster;

import io.orestes.bench.client.Site;
import io.orestes.bench.client.Steps;
import io.orestes.caching.sketch.BloomFilter;
import io.orestes.caching.sketch.SketchSize;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.PrimitiveIterator;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Transactions through the API. Many may be under way at a time. */
final class OrestesTransactor implements Transactor {

    private static final Map<String, String> JSON = Map.of("Content-Type", "application/json");
    private static final Map<String, String> NEWEST = Map.of("Cache-Control", "no-cache");

    private final Context home;
    private final Site servers;
    private final Site reads;
    private final Way way;
    private final Map<String, Copy> copies = new HashMap<>();
    private long asked;
    private long hits;

    private OrestesTransactor(Context home, Site servers, Site reads, Way way) {
        this.home = home;
        this.servers = servers;
        this.reads = reads;
        this.way = way;
    }

    /** Returns a transactor that reads the newest state of everything from the servers. */
    static OrestesTransactor withoutCaches(Context home, Site servers) {
        return new OrestesTransactor(home, servers, servers, Way.NEWEST);
    }

    /**
     * Returns a transactor that stores copies for as long as the server allows, and uses one only
     * if it was fetched during the transaction or if the filter of its begin does not contain the
     * object (protocol §12, §13).
     */
    static OrestesTransactor withCopies(Context home, Site servers) {
        return new OrestesTransactor(home, servers, servers, Way.COPIES);
    }

    /**
     * Returns a transactor that stores nothing and reads from a shared cache, which the servers
     * purge; the commit reports stale reads.
     */
    static OrestesTransactor behind(Context home, Site sharedCache, Site servers) {
        return new OrestesTransactor(home, servers, sharedCache, Way.SHARED);
    }

    private enum Way {
        NEWEST,
        COPIES,
        SHARED
    }

    /** The relevant part of an object that was read; times are nanoseconds. */
    private record Copy(String etag, long version, long expiresAt, long askedAt) {}

    private record Begun(String tid, BloomFilter filter, long askedAt, Map<String, Long> versions) {

        private boolean mayUse(String id, Copy copy) {
            return System.nanoTime() < copy.expiresAt && (copy.askedAt > askedAt || !filter.contains(id));
        }
    }

    /** Returns the share of the reads that caches have answered so far. */
    double hitRate() {
        return hits / (double) Math.max(1, asked);
    }

    @Override
    public Future<Ending> transact(int[] objects) {
        return begin().compose(begun -> {
                    PrimitiveIterator.OfInt next = IntStream.of(objects).iterator();
                    return Steps.repeat(home, objects.length, () -> read(Accounts.id(next.nextInt()), begun))
                            .compose(read -> commit(begun));
                })
                .recover(failure -> failure instanceof Site.UnavailableException
                        ? Future.succeededFuture(Ending.REFUSED)
                        : Future.failedFuture(failure));
    }

    private Future<Begun> begin() {
        long askedAt = System.nanoTime();
        return exchange(HttpMethod.POST, "/transaction", JSON, "").map(answer -> {
            require(answer, Set.of(201));
            JsonObject begun = answer.body().toJsonObject();
            JsonObject filter = begun.getJsonObject("bloomFilter");
            SketchSize size = new SketchSize(filter.getInteger("m"), filter.getInteger("h"));
            return new Begun(
                    begun.getString("tid"),
                    BloomFilter.fromBase64(size, filter.getString("b")),
                    askedAt,
                    new LinkedHashMap<>());
        });
    }

    private Future<?> read(String id, Begun begun) {
        asked++;
        @Nullable Copy copy = copies.get(id);
        if (copy != null && begun.mayUse(id, copy)) {
            hits++;
            begun.versions.put(id, copy.version);
            return Future.succeededFuture();
        }
        return fetch(id, copy, begun).onSuccess(fetched -> begun.versions.put(id, fetched.version));
    }

    private Future<Copy> fetch(String id, @Nullable Copy copy, Begun begun) {
        long askedAt = System.nanoTime();
        Map<String, String> headers = new HashMap<>(mayBeOld(id, begun) ? Map.of() : NEWEST);
        if (copy != null) {
            headers.put("If-None-Match", copy.etag);
        }
        return reads.send(HttpMethod.GET, id, headers, Buffer.buffer()).map(answer -> {
            hits += answer.isHit() ? 1 : 0;
            long version = answer.status() == 304 && copy != null ? copy.version : version(answer.body());
            long expiresAt = askedAt + (answer.seconds("max-age") - answer.ageSeconds()) * 1_000_000_000L;
            Copy fetched = new Copy(answer.etag(), version, expiresAt, askedAt);
            if (way == Way.COPIES) {
                copies.put(id, fetched);
            }
            return fetched;
        });
    }

    private boolean mayBeOld(String id, Begun begun) {
        return switch (way) {
            case NEWEST -> false;
            case COPIES -> !begun.filter.contains(id);
            case SHARED -> true;
        };
    }

    private Future<Ending> commit(Begun begun) {
        long begin = System.nanoTime();
        return exchange(HttpMethod.PUT, "/transaction/" + begun.tid + "/committed", JSON, body(begun.versions))
                .map(answer -> {
                    long nanos = System.nanoTime() - begin;
                    require(answer, Set.of(200, 412));
                    boolean isCommitted = answer.status() == 200;
                    (isCommitted ? written(begun.versions) : stale(answer)).forEach(copies::remove);
                    return isCommitted ? Ending.committed(nanos) : Ending.ABORTED;
                });
    }

    private static void require(Site.Answer answer, Set<Integer> expected) {
        // a server that was silent for too long learns that the others have ended its transactions
        if (answer.status() == 503 || answer.status() == 472) {
            throw new Site.UnavailableException(answer);
        }
        if (!expected.contains(answer.status())) {
            throw new IllegalStateException("A transaction is answered with " + answer);
        }
    }

    private Future<Site.Answer> exchange(HttpMethod method, String path, Map<String, String> headers, String body) {
        return servers.exchange(method, path, headers, Buffer.buffer(body));
    }

    /** Written objects are in the read set by their versions. */
    private static String body(Map<String, Long> versions) {
        String writes = written(versions)
                .map(id -> "{\"id\":\"" + id + "\",\"version\":" + versions.get(id) + "," + Accounts.fields(1) + "}")
                .collect(Collectors.joining(","));
        String reads = versions.entrySet().stream()
                .skip(Accounts.WRITES)
                .map(read -> "{\"oid\":\"" + read.getKey() + "\",\"version\":" + read.getValue() + "}")
                .collect(Collectors.joining(","));
        return "{\"readSet\":[" + reads + "],\"writeSet\":[" + writes + "]}";
    }

    private static Stream<String> written(Map<String, Long> versions) {
        return versions.keySet().stream().limit(Accounts.WRITES);
    }

    private static Stream<String> stale(Site.Answer refusal) {
        return refusal.body().toJsonObject().getJsonObject("data").getJsonArray("stale").stream()
                .map(String.class::cast);
    }

    private static long version(Buffer object) {
        return object.toJsonObject().getLong("version");
    }
}
