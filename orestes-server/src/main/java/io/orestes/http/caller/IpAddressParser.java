package io.orestes.http.caller;

import com.google.common.net.InetAddresses;
import java.net.InetAddress;
import java.util.Optional;

/** The parser for IP addresses in text form, which never asks a name server. */
final class IpAddressParser {

    private IpAddressParser() {}

    /**
     * Parses an address; empty for anything else, including host names and addresses with a zone.
     * Never asks a name server.
     */
    static Optional<InetAddress> parse(String text) {
        return text.indexOf('%') < 0 && InetAddresses.isInetAddress(text)
                ? Optional.of(InetAddresses.forString(text))
                : Optional.empty();
    }
}
