package io.orestes.http.data;

import io.orestes.http.protocol.EntityTags;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectETagCodec;
import io.orestes.model.Precondition;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Conditions on writes: {@code If-Match}, and on replaces {@code If-None-Match} (RFC 9110 §13,
 * protocol §8.3).
 */
final class WriteConditions {

    /** True for tags that no object ever has: the empty one and version 0. */
    private static final Predicate<String> NEVER =
            Pattern.compile("|0+(?:--.*)?").asMatchPredicate();

    private WriteConditions() {}

    /**
     * Returns the precondition of the request, in the order of RFC 9110 §13.2.2; none if both
     * headers are absent.
     */
    static Precondition of(HttpServerRequest request) {
        return ifMatch(EntityTags.in(request, HttpHeaders.IF_MATCH)).and(ifNoneMatch(request));
    }

    /**
     * Returns the precondition of {@code If-Match}. An unreadable condition must neither count as
     * satisfied nor be ignored.
     */
    private static Precondition ifMatch(List<String> tags) {
        if (tags.isEmpty()) {
            return Precondition.none();
        }
        if (tags.equals(List.of("*"))) {
            return new Precondition.ObjectExists();
        }
        List<Precondition> states = possible(tags)
                .map(tag -> ObjectETagCodec.decodePrecondition(tag).orElseThrow(() -> malformed(tags)))
                .toList();
        if (states.isEmpty()) {
            throw new ApiException(
                    ErrorCode.OBJECT_OUT_OF_DATE,
                    "No object ever has the version " + String.join(", ", tags) + ", which is out of date");
        }
        return new Precondition.AnyCondition(states);
    }

    /**
     * Returns the precondition of {@code If-None-Match}. Unknown tags match nothing: browsers send
     * some to bypass caches (protocol §1.3).
     */
    private static Precondition ifNoneMatch(HttpServerRequest request) {
        List<String> tags =
                HttpMethod.PUT.equals(request.method()) ? EntityTags.in(request, HttpHeaders.IF_NONE_MATCH) : List.of();
        if (tags.contains("*")) {
            return new Precondition.ObjectAbsent();
        }
        List<Precondition> states = possible(tags)
                .map(ObjectETagCodec::decodePrecondition)
                .flatMap(Optional::stream)
                .toList();
        return states.isEmpty() ? Precondition.none() : new Precondition.NoneOfConditions(states);
    }

    private static Stream<String> possible(List<String> tags) {
        return tags.stream().map(EntityTags::opaque).filter(NEVER.negate());
    }

    private static ApiException malformed(List<String> tags) {
        return new ApiException(
                ErrorCode.BAD_REQUEST,
                "If-Match is neither * nor entity tags nor versions: " + String.join(", ", tags));
    }
}
