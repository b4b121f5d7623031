package io.orestes.coordination;

import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * One membership of a server in its group, from its entry to its end: an identity that is never
 * reused and published information.
 *
 * @param id its incarnation: 16 hexadecimal digits, chosen at random for each entry and never used
 *     again
 * @param info what the server published about itself when it entered
 */
public record Member(String id, String info) {

    private static final SecureRandom RANDOM = new SecureRandom();

    /** Returns a member that enters now. */
    public static Member entering(String info) {
        return new Member(HexFormat.of().toHexDigits(RANDOM.nextLong()), info);
    }
}
