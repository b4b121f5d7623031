package io.orestes.caching.sketch;

import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;

/**
 * An immutable Bloom filter: a set of keys with false positives and without false negatives. Bit
 * <i>i</i> is byte <i>i</i>/8, mask {@code 1 << i % 8}; {@link BloomHash} determines the bits of a
 * key.
 */
public final class BloomFilter {

    private final SketchSize size;
    private final byte[] bits;

    private BloomFilter(SketchSize size, byte[] bits) {
        this.size = size;
        this.bits = bits;
    }

    /** Returns the filter of these keys. */
    public static BloomFilter of(SketchSize size, Collection<String> keys) {
        CountingBloomFilter counting = new CountingBloomFilter(size);
        keys.forEach(counting::add);
        return counting.flat();
    }

    /** Returns the filter that contains every key. */
    static BloomFilter full(SketchSize size) {
        byte[] bits = new byte[bytes(size)];
        Arrays.fill(bits, (byte) 0xff);
        bits[bits.length - 1] = (byte) (0xff >>> (-size.bits() & 7));
        return new BloomFilter(size, bits);
    }

    /** Returns the filter with these bits, which must not be changed any more. */
    static BloomFilter wrap(SketchSize size, byte[] bits) {
        return new BloomFilter(size, bits);
    }

    /**
     * Parses the wire form.
     *
     * @param base64 the bits; trailing zero bytes may be missing
     * @throws IllegalArgumentException if that is not Base64 or has more bytes than the filter
     */
    public static BloomFilter fromBase64(SketchSize size, String base64) {
        byte[] sent = Base64.getDecoder().decode(base64);
        if (sent.length > bytes(size)) {
            throw new IllegalArgumentException(sent.length + " bytes do not fit a filter of " + size.bits() + " bits");
        }
        return new BloomFilter(size, Arrays.copyOf(sent, bytes(size)));
    }

    static int bytes(SketchSize size) {
        return (size.bits() + 7) >>> 3;
    }

    public SketchSize size() {
        return size;
    }

    /** Returns whether the key may be in the set; false is certain. */
    public boolean contains(String key) {
        BloomHash hash = BloomHash.of(key);
        int position = hash.first(size.bits());
        int step = hash.step(size.bits());
        for (int i = 0; i < size.hashes(); i++) {
            if ((bits[position >>> 3] & 1 << (position & 7)) == 0) {
                return false;
            }
            position = BloomHash.next(position, step, size.bits());
        }
        return true;
    }

    /** Returns the bits in Base64, without trailing zero bytes. */
    public String toBase64() {
        int used = bits.length;
        while (used > 0 && bits[used - 1] == 0) {
            used--;
        }
        return Base64.getEncoder().encodeToString(Arrays.copyOf(bits, used));
    }

    /** Returns the wire form: {@code {"m":<bits>,"h":<hashes>,"b":"<base64>"}}. */
    public String toJson() {
        return "{\"m\":" + size.bits() + ",\"h\":" + size.hashes() + ",\"b\":\"" + toBase64() + "\"}";
    }
}
