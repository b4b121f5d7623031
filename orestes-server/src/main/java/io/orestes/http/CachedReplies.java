package io.orestes.http;

import io.orestes.caching.response.CachedResponse;
import io.orestes.read.Answer;
import io.orestes.socket.HangUp;
import io.orestes.wire.AnswerRoom;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/**
 * Answers that caches may keep: in full, or as 304 when the caller's copy is the same. Each says how old it may be:
 * {@code Age} is the age of the state, 0 whenever this server answers, since what it has in memory is dropped before the write
 * that replaces it is answered; {@code Orestes-Bound} is the age, in seconds, at which no cache hands it out any more.
 */
final class CachedReplies {

    private static final CharSequence HIT = HttpHeaders.createOptimized("hit");
    private static final CharSequence SURROGATE_KEY = HttpHeaders.createOptimized("Surrogate-Key");
    private static final CharSequence MISS = HttpHeaders.createOptimized("miss");
    private static final CharSequence ZERO = HttpHeaders.createOptimized("0");

    /** Caches that know nothing of the header keep answers to its values apart. */
    private static final CharSequence BY_NEWNESS = HttpHeaders.createOptimized("origin, orestes-consistency");

    /** Query results depend on who asks; the answer for everybody must not reach somebody who is logged in. */
    static final CharSequence BY_CALLER = HttpHeaders.createOptimized("origin, authorization, orestes-consistency");

    /** For an answer that is for this caller, or that nobody could purge. */
    static final CharSequence UNSHARED = HttpHeaders.createOptimized("private, no-cache");

    private static final CharSequence ASK_AGAIN = HttpHeaders.createOptimized("public, no-cache");

    private final ReadCounts counts;

    CachedReplies(ReadCounts counts) {
        this.counts = counts;
    }

    /** Sends a hit at once: the quickest way out of the server. A large one that there is no room for is refused. */
    void sendHit(HttpServerRequest request, CachedResponse cached, AnswerRoom room) {
        int bytes = cached.body().length();
        if (!AnswerRoom.isLarge(bytes)
                || Conditions.isUnchanged(request, cached.headers().etag())) {
            var unused = end(request, cached);
        } else if (room.take(bytes)) {
            room.follow(bytes, end(request, cached), () -> HangUp.on(request));
        } else {
            Cors.apply(request, request.response());
            Replies.send(request, Failures.reply(AnswerRoom.full(), "hit"));
        }
    }

    private Future<Void> end(HttpServerRequest request, CachedResponse cached) {
        HttpServerResponse response = request.response();
        CachedResponse.Headers headers = cached.headers();
        Cors.apply(request, response);
        response.putHeader(HttpHeaders.VARY, request.uri().indexOf('?') >= 0 ? BY_CALLER : BY_NEWNESS)
                .putHeader(HttpHeaders.ETAG, headers.etag())
                .putHeader(HttpHeaders.CACHE_CONTROL, headers.cacheControl())
                .putHeader(Reply.AGE, ZERO)
                .putHeader(Reply.ORESTES_BOUND, cached.boundSeconds())
                .putHeader(Reply.ORESTES_CACHE, HIT);
        if (!headers.surrogateKeys().isEmpty()) {
            response.putHeader(SURROGATE_KEY, headers.surrogateKeys());
        }
        boolean unchanged = Conditions.isUnchanged(request, headers.etag());
        counts.add(Answer.Source.HIT, unchanged);
        if (unchanged) {
            return response.setStatusCode(304).end();
        }
        response.putHeader(HttpHeaders.CONTENT_TYPE, headers.contentType());
        return AnswerRoom.end(request, cached.body());
    }

    /** The same as a reply. */
    Reply reply(HttpServerRequest request, Newness demanded, Answer answer) {
        CachedResponse.Headers headers = answer.response().headers();
        boolean unchanged = Conditions.isUnchanged(request, headers.etag());
        counts.add(answer.source(), unchanged);
        Reply reply = Reply.of(
                        unchanged ? 304 : 200,
                        unchanged ? Buffer.buffer() : answer.response().body())
                .with(HttpHeaders.VARY, BY_NEWNESS)
                .with(HttpHeaders.ETAG, headers.etag())
                .with(Reply.AGE, ZERO)
                .with(Reply.ORESTES_CACHE, name(answer.source()));
        if (!headers.surrogateKeys().isEmpty()) {
            reply.with(SURROGATE_KEY, headers.surrogateKeys());
        }
        Reply limited = limited(reply, demanded, answer.response());
        return unchanged ? limited : limited.with(HttpHeaders.CONTENT_TYPE, headers.contentType());
    }

    /** The same for an answer that no cache may keep. */
    static Reply unkept(Reply reply) {
        return reply.with(HttpHeaders.CACHE_CONTROL, Reply.NO_STORE).with(Reply.ORESTES_BOUND, ZERO);
    }

    /** The same for an answer that no shared cache may keep, nor a browser use without asking; one that nobody may keep stays so. */
    static Reply unshared(Reply reply, Newness demanded) {
        return demanded.isBusted()
                ? reply
                : reply.with(HttpHeaders.CACHE_CONTROL, UNSHARED).with(Reply.ORESTES_BOUND, ZERO);
    }

    /**
     * Who asks with {@code BCB} wants no copy, and a copy under that address would be the one for the next who asks so. A cache
     * that tells values of {@code Orestes-Consistency} apart would likewise give today's fresh answer to who asks so tomorrow.
     */
    private static Reply limited(Reply reply, Newness demanded, CachedResponse response) {
        String cacheControl = response.headers().cacheControl();
        if (demanded.isBusted()) {
            return unkept(reply);
        }
        return demanded.isForThisReadOnly() && cacheControl.startsWith("public")
                ? reply.with(HttpHeaders.CACHE_CONTROL, ASK_AGAIN).with(Reply.ORESTES_BOUND, ZERO)
                : reply.with(HttpHeaders.CACHE_CONTROL, cacheControl)
                        .with(Reply.ORESTES_BOUND, response.boundSeconds());
    }

    private static CharSequence name(Answer.Source source) {
        return switch (source) {
            case HIT -> HIT;
            case MISS -> MISS;
            case BYPASS -> Reply.BYPASS;
        };
    }
}
