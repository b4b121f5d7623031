package io.orestes.auth.limit;

import com.google.common.net.InetAddresses;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The network of a client: an IPv4 address, or the first 64 bits of an IPv6 address. It is the part
 * of an address that one client cannot change at will. Every host chooses the other bits of an IPv6
 * address itself (RFC 4291 §2.5.4).
 *
 * @param text the address, the prefix in hex, or the text of the transport if that is no address
 * @param isLoopback true for the machine that this server runs on
 */
public record ClientNetwork(String text, boolean isLoopback) {

    private static final int PREFIX_BYTES = 8;

    /** Returns the network of an address as text, with or without a zone. */
    public static ClientNetwork of(String address) {
        int zone = address.indexOf('%');
        String plain = zone < 0 ? address : address.substring(0, zone);
        try {
            return of(InetAddresses.forString(plain));
        } catch (IllegalArgumentException noAddress) {
            return new ClientNetwork(address, address.isEmpty());
        }
    }

    /**
     * Returns the network of an address. IPv4 addresses written as IPv6 ones are already IPv4
     * addresses here.
     */
    private static ClientNetwork of(InetAddress address) {
        return address instanceof Inet6Address
                ? new ClientNetwork(
                        HexFormat.of().formatHex(Arrays.copyOf(address.getAddress(), PREFIX_BYTES)),
                        address.isLoopbackAddress())
                : new ClientNetwork(InetAddresses.toAddrString(address), address.isLoopbackAddress());
    }
}
