package io.orestes.replication.link;

import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * The first frame of a caller, which names both members. The listener at an address may have become
 * another member meanwhile, and refuses what is meant for its predecessor.
 *
 * @param from identity of the caller
 * @param to identity of the member that it means to call
 */
record PeerHello(String from, String to) {

    /** Maximum size of the frame in bytes. */
    static final int MAX_BYTES = 128;

    private static final String FROM = "from";
    private static final String TO = "to";
    private static final Pattern IDENTITY = Pattern.compile("[0-9a-f]{16}");

    /** Fails with a runtime exception if one of the two is no identity of a member. */
    PeerHello {
        if (!IDENTITY.matcher(from).matches() || !IDENTITY.matcher(to).matches()) {
            throw new IllegalArgumentException("No identities of members: " + from + ", " + to);
        }
    }

    /** Decodes a frame; fails with a runtime exception if it is no hello. */
    static PeerHello decode(BsonDocument frame) {
        return new PeerHello(
                frame.getString(FROM).getValue(), frame.getString(TO).getValue());
    }

    BsonDocument encode() {
        return new BsonDocument(FROM, new BsonString(from)).append(TO, new BsonString(to));
    }
}
