package io.orestes.http.protocol;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The content codings of bodies (RFC 9110 §8.4): none in requests, gzip in some responses. */
public final class ContentCodings {

    /** The identity coding. */
    public static final String IDENTITY = "identity";

    public static final String GZIP = "gzip";

    /** Names that accept gzip, the most exact first (RFC 9110 §8.4.1.3, §12.5.3). */
    private static final List<String> GZIP_OR_ANY = List.of(GZIP, "x-gzip", "*");

    private static final Pattern BLANKS = Pattern.compile("[ \t]");
    private static final Pattern NEVER = Pattern.compile(";q=0(?:\\.0*)?$");

    private ContentCodings() {}

    /** Returns whether the body has a content coding. */
    public static boolean isCoded(HttpServerRequest request) {
        return members(request, HttpHeaders.CONTENT_ENCODING)
                .anyMatch(coding -> !coding.isEmpty() && !coding.equals(IDENTITY));
    }

    /** Returns whether the caller accepts a gzip response (RFC 9110 §12.5.3). */
    public static boolean acceptsGzip(HttpServerRequest request) {
        return GZIP_OR_ANY.stream()
                .flatMap(coding -> members(request, HttpHeaders.ACCEPT_ENCODING)
                        .filter(member -> member.equals(coding) || member.startsWith(coding + ";")))
                .findFirst()
                .filter(member -> !NEVER.matcher(member).find())
                .isPresent();
    }

    /** Returns the members of all lines, in lower case and without blanks. */
    private static Stream<String> members(HttpServerRequest request, CharSequence header) {
        return request.headers().getAll(header).stream()
                .flatMap(line -> Stream.of(line.split(",", -1)))
                .map(member -> BLANKS.matcher(member).replaceAll("").toLowerCase(Locale.ROOT));
    }

    /** Creates the refusal, which is sent with {@code Accept-Encoding} (RFC 9110 §12.5.3). */
    public static ApiException unsupported() {
        return new ApiException(ErrorCode.UNSUPPORTED_MEDIA_TYPE, "The body must have no Content-Encoding");
    }
}
