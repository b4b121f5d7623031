package io.orestes.http.caller;

import io.vertx.core.MultiMap;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The client and proxy addresses that {@code Forwarded} (RFC 7239) or {@code X-Forwarded-For}
 * names, client first. Each proxy appends an address. Addresses that clients write themselves are
 * in front and are arbitrary.
 */
final class ForwardedFor {

    private ForwardedFor() {}

    /**
     * Returns the addresses in the order of the header, empty where a hop gives none. No hops if
     * the two headers contradict each other: a proxy maintains one of them and passes on the
     * client's value of the other.
     */
    static List<Optional<InetAddress>> of(MultiMap headers) {
        List<Optional<InetAddress>> standard = hops(headers, "Forwarded", ForwardedFor::nodeOf);
        List<Optional<InetAddress>> usual = hops(headers, "X-Forwarded-For", ForwardedFor::address);
        if (standard.isEmpty() || usual.isEmpty()) {
            return standard.isEmpty() ? usual : standard;
        }
        return standard.equals(usual) ? standard : List.of();
    }

    /**
     * Splits a header at its commas. Quotes are ignored: an open quote of a client must not hide
     * addresses that a proxy appended.
     */
    private static List<Optional<InetAddress>> hops(
            MultiMap headers, String header, Function<String, Optional<InetAddress>> hop) {
        return headers.getAll(header).stream()
                .flatMap(line -> Stream.of(line.split(",", -1)))
                .map(String::trim)
                .map(hop)
                .toList();
    }

    /** Returns the node that one element of {@code Forwarded} was sent for. */
    private static Optional<InetAddress> nodeOf(String element) {
        return Stream.of(element.split(";", -1))
                .map(String::trim)
                .filter(pair -> pair.toLowerCase(Locale.ROOT).startsWith("for="))
                .findFirst()
                .flatMap(pair -> address(pair.substring(4).replace("\"", "").trim()));
    }

    /** Parses an address with or without a port; an IPv6 address with a port is in brackets. */
    private static Optional<InetAddress> address(String node) {
        return IpAddressParser.parse(host(node));
    }

    private static String host(String node) {
        int colon = node.indexOf(':');
        if (node.startsWith("[")) {
            return node.substring(1, Math.max(1, node.indexOf(']')));
        }
        return colon >= 0 && colon == node.lastIndexOf(':') ? node.substring(0, colon) : node;
    }
}
