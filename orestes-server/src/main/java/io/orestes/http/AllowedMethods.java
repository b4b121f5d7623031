package io.orestes.http;

import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The methods that each path supports, for the {@code Allow} header (RFC 9110 §15.5.6). */
final class AllowedMethods {

    private final List<RouteMethods> known;

    private AllowedMethods(List<RouteMethods> known) {
        this.known = known;
    }

    /** Returns the methods of all current routes of the router. */
    static AllowedMethods of(Router router) {
        return new AllowedMethods(router.getRoutes().stream()
                .filter(route -> route.getPath() != null && route.methods() != null)
                .map(RouteMethods::of)
                .toList());
    }

    /** Returns the value of the header {@code Allow}; every path supports {@code OPTIONS}. */
    String of(String path) {
        return Stream.concat(
                        Stream.of(HttpMethod.OPTIONS),
                        known.stream().filter(each -> each.matches(path)).flatMap(each -> each.methods.stream()))
                .map(HttpMethod::name)
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
    }

    /** The methods of one route. */
    private record RouteMethods(Pattern path, List<HttpMethod> methods) {

        /** Creates the pattern of a route; a parameter is one segment of the path. */
        private static RouteMethods of(Route route) {
            String segments = Stream.of(route.getPath().split("/", -1))
                    .map(segment ->
                            segment.startsWith(":") ? "[^/]+" : segment.equals("*") ? ".*" : Pattern.quote(segment))
                    .collect(Collectors.joining("/"));
            return new RouteMethods(Pattern.compile(segments), List.copyOf(route.methods()));
        }

        private boolean matches(String requested) {
            return path.matcher(requested).matches();
        }
    }
}
