package io.orestes.http.caller;

import com.google.common.net.InetAddresses;
import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import io.vertx.core.MultiMap;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The proxies whose statements about the client address of a request are trusted. Immutable. */
public final class TrustedProxies {

    /** The empty set: no proxy is trusted. */
    public static final TrustedProxies NONE = new TrustedProxies(List.of());

    private final List<IpSubnetFilterRule> networks;

    private TrustedProxies(List<IpSubnetFilterRule> networks) {
        this.networks = List.copyOf(networks);
    }

    /**
     * Parses addresses and networks, such as {@code 127.0.0.1, 10.0.0.0/8, fd00::/8}; empty if one
     * of them is neither.
     */
    public static Optional<TrustedProxies> parse(String list) {
        List<String> entries = Stream.of(list.split(",", -1))
                .map(String::trim)
                .filter(entry -> !entry.isEmpty())
                .toList();
        List<IpSubnetFilterRule> networks = new ArrayList<>();
        entries.forEach(entry -> network(entry).ifPresent(networks::add));
        return networks.size() == entries.size() ? Optional.of(new TrustedProxies(networks)) : Optional.empty();
    }

    private static Optional<IpSubnetFilterRule> network(String entry) {
        int slash = entry.indexOf('/');
        return IpAddressParser.parse(slash < 0 ? entry : entry.substring(0, slash))
                .flatMap(first -> {
                    int bits = first.getAddress().length * 8;
                    return slash < 0 ? Optional.of(rule(first, bits)) : rule(first, entry.substring(slash + 1), bits);
                });
    }

    private static Optional<IpSubnetFilterRule> rule(InetAddress first, String prefix, int bits) {
        return prefix.matches("\\d{1,3}") && Integer.parseInt(prefix) <= bits
                ? Optional.of(rule(first, Integer.parseInt(prefix)))
                : Optional.empty();
    }

    private static IpSubnetFilterRule rule(InetAddress first, int prefix) {
        return new IpSubnetFilterRule(first, prefix, IpFilterRuleType.ACCEPT);
    }

    /**
     * Returns the origin of a request. Going back from the connection, it is the first address that
     * is not one of these proxies, or the last that one of them names legibly. Text that is no
     * address is returned unchanged.
     *
     * @param peer address at the other end of the connection
     */
    String client(String peer, MultiMap headers) {
        return networks.isEmpty()
                ? peer
                : IpAddressParser.parse(peer)
                        .filter(this::isTrusted)
                        .map(proxy -> InetAddresses.toAddrString(client(proxy, ForwardedFor.of(headers))))
                        .orElse(peer);
    }

    private InetAddress client(InetAddress peer, List<Optional<InetAddress>> hops) {
        InetAddress client = peer;
        for (int i = hops.size() - 1; i >= 0 && isTrusted(client) && hops.get(i).isPresent(); i--) {
            client = hops.get(i).get();
        }
        return client;
    }

    private boolean isTrusted(InetAddress address) {
        return networks.stream().anyMatch(network -> network.matches(new InetSocketAddress(address, 0)));
    }
}
