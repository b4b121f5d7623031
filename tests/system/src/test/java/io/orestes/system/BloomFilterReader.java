package io.orestes.system;

import java.util.Base64;
import org.bson.BsonDocument;

/**
 * A Bloom filter as clients read it (protocol §13.2), written from the protocol and independent of
 * the server.
 */
public final class BloomFilterReader {

    private static final long UNSIGNED = 0xffff_ffffL;

    private final int bits;
    private final int hashes;
    private final byte[] bytes;

    public BloomFilterReader(BsonDocument json) {
        bits = json.getNumber("m").intValue();
        hashes = json.getNumber("h").intValue();
        bytes = Base64.getDecoder().decode(json.getString("b").getValue());
    }

    public boolean contains(String key) {
        long first = murmur3(key, 0) & UNSIGNED;
        long second = murmur3(key, (int) first) & UNSIGNED;
        for (int i = 0; i < hashes; i++) {
            if (!isSet((int) ((first + i * second) % bits))) {
                return false;
            }
        }
        return true;
    }

    private boolean isSet(int bit) {
        return bit / 8 < bytes.length && (bytes[bit / 8] & (1 << (bit % 8))) != 0;
    }

    /** MurmurHash3, x86, 32 bit, over the low byte of each UTF-16 code unit. */
    static int murmur3(String text, int seed) {
        int hash = seed;
        int blocks = text.length() / 4;
        for (int i = 0; i < blocks; i++) {
            hash = Integer.rotateLeft(hash ^ scramble(little(text, 4 * i, 4)), 13) * 5 + 0xe654_6b64;
        }
        hash ^= scramble(little(text, 4 * blocks, text.length() % 4));
        return finish(hash ^ text.length());
    }

    private static int little(String text, int from, int count) {
        int word = 0;
        for (int i = 0; i < count; i++) {
            word |= (text.charAt(from + i) & 0xff) << (8 * i);
        }
        return word;
    }

    private static int scramble(int word) {
        return Integer.rotateLeft(word * 0xcc9e_2d51, 15) * 0x1b87_3593;
    }

    private static int finish(int hash) {
        int mixed = (hash ^ (hash >>> 16)) * 0x85eb_ca6b;
        mixed = (mixed ^ (mixed >>> 13)) * 0xc2b2_ae35;
        return mixed ^ (mixed >>> 16);
    }
}
