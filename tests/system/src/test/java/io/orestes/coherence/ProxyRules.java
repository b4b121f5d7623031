package io.orestes.coherence;

import io.orestes.support.process.Waiting;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A rule of a proxy for each class of objects, so that scenarios do not disturb each other, and the
 * rules that plant bugs.
 */
final class ProxyRules implements Proxy.Rule {

    private static final Pattern VERSION = Pattern.compile("\"version\":(\\d+)");

    private final Map<String, Proxy.Rule> byPath = new ConcurrentHashMap<>();

    /** Sets the rule of targets that begin with this path. */
    void put(String path, Proxy.Rule rule) {
        byPath.put(path, rule);
    }

    @Override
    public Message answer(Message request, HttpConnection upstream) throws IOException {
        Optional<Proxy.Rule> own = byPath.entrySet().stream()
                .filter(rule -> request.target().startsWith(rule.getKey()))
                .map(Map.Entry::getValue)
                .findAny();
        return own.orElse(Proxy.Rule.FORWARD).answer(request, upstream);
    }

    /** Delays responses for no longer than Varnish tolerates. */
    static Proxy.Rule heldUp(Duration time) {
        return (request, upstream) -> {
            Message response = upstream.send(request);
            Waiting.pause(time);
            return response;
        };
    }

    /** Confirms purges without doing them. */
    static Proxy.Rule swallowed() {
        return (request, upstream) -> Message.empty(204);
    }

    /** Confirms purges of queries without doing them. */
    static Proxy.Rule queriesSwallowed() {
        return swallowed("/query?");
    }

    /** Confirms purges of URLs that contain this without doing them. */
    static Proxy.Rule swallowed(String part) {
        return (request, upstream) -> request.target().contains(part) ? Message.empty(204) : upstream.send(request);
    }

    /** Forwards only the first purge of every URL. */
    static Proxy.Rule onlyFirst() {
        Set<String> purged = new HashSet<>();
        return (request, upstream) -> {
            synchronized (purged) {
                return purged.add(request.target()) ? upstream.send(request) : Message.empty(204);
            }
        };
    }

    /** Gives responses another time to live in shared caches than the server knows. */
    static Proxy.Rule kept(Duration time) {
        return (request, upstream) -> {
            Message response = upstream.send(request);
            return response.header("cache-control")
                    .map(control -> response.with(
                            "cache-control", control.replaceAll("s-maxage=\\d+", "s-maxage=" + time.toSeconds())))
                    .orElse(response);
        };
    }

    /** Serves the first filter for ever. */
    static Proxy.Rule filterKept() {
        Map<String, Message> kept = new ConcurrentHashMap<>();
        return filters((request, upstream) -> {
            Message newer = upstream.send(request);
            return kept.computeIfAbsent("filter", none -> newer);
        });
    }

    /** Drops keys from the filter too early. */
    static Proxy.Rule filterEmptied() {
        return filters((request, upstream) -> {
            Message full = upstream.send(request);
            return full.withBody(full.body().replaceAll("\"b\":\"[^\"]*\"", "\"b\":\"\""));
        });
    }

    /** Drops responses. */
    static Proxy.Rule cut() {
        return (request, upstream) -> {
            throw new IOException("cut");
        };
    }

    /** Claims that the server purges all caches in time. */
    static Proxy.Rule purgesPraised() {
        return filters((request, upstream) -> upstream.send(request).with("orestes-purge-lag", "0"));
    }

    /** Answers reads of copies of a purged cache from one that is never purged. */
    static Proxy.Rule copiesKept() {
        Map<String, Message> kept = new ConcurrentHashMap<>();
        return (request, upstream) -> {
            Optional<Message> copy = Optional.ofNullable(kept.get(request.target()))
                    .filter(known -> request.header("cache-control")
                            .filter(ClientGuard.OR_PURGED::equals)
                            .isPresent());
            return copy.isPresent() ? copy.get() : kept(kept, request, upstream.send(request));
        };
    }

    private static Message kept(Map<String, Message> copies, Message request, Message response) {
        if (request.method().equals("GET") && response.status() == 200) {
            copies.putIfAbsent(request.target(), response);
        }
        return response;
    }

    /** Claims that writes changed no result. */
    static Proxy.Rule resultsPraised() {
        return (request, upstream) -> {
            Message response = upstream.send(request);
            return request.method().equals("PUT") ? response.with("orestes-results-kept", "999") : response;
        };
    }

    private static Proxy.Rule filters(Proxy.Rule rule) {
        return (request, upstream) -> request.target().startsWith("/v1/bloomfilter")
                ? rule.answer(request, upstream)
                : upstream.send(request);
    }

    /** Drops clients' demands, so that no cache behind this sees them. */
    static Proxy.Rule demandsDropped() {
        return (request, upstream) -> upstream.send(request.without("cache-control"));
    }

    /** Uses the version alone as the tag. */
    static Proxy.Rule versionsAsTags() {
        return (request, upstream) -> {
            Message response = upstream.send(request.without("if-none-match"));
            Matcher version = VERSION.matcher(response.body());
            return version.find() ? tagged(request, response, "\"" + version.group(1) + "\"") : response;
        };
    }

    private static Message tagged(Message request, Message response, String tag) {
        boolean isUnchanged =
                request.header("if-none-match").filter(tag::equals).isPresent();
        return isUnchanged
                ? new Message("HTTP/1.1 304 Not Modified", response.headers(), "")
                        .with("content-length", "0")
                        .with("etag", tag)
                : response.with("etag", tag);
    }

    /** Purges and reads the URL of a write before the write is forwarded. */
    static Proxy.Rule purgedBefore(int varnishPort) {
        return (request, upstream) -> {
            try (HttpConnection varnish = new HttpConnection(varnishPort)) {
                Message purge = new Message(
                        "PURGE " + request.target() + " HTTP/1.1",
                        Map.of("host", "localhost", "orestes-purge-secret", Testbed.SECRET),
                        "");
                Message purged = varnish.send(purge);
                Message old = varnish.send(Message.get(request.target()));
                if (purged.status() != 204 || old.status() != 200) {
                    throw new IOException("not purged: " + purged + ", " + old);
                }
            }
            return upstream.send(request);
        };
    }
}
