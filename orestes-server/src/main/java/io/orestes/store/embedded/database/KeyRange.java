package io.orestes.store.embedded.database;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A half-open range of keys in one column family, compared as unsigned bytes. Immutable. */
public final class KeyRange {

    private final byte[] from;
    private final byte[] to;

    public KeyRange(byte[] from, byte[] to) {
        this.from = from;
        this.to = to;
    }

    /** Returns the range of all keys with a prefix, which must have a byte other than 0xFF. */
    public static KeyRange prefix(byte[] prefix) {
        return new KeyRange(prefix, afterPrefix(prefix));
    }

    /** Returns the range of the ids of all objects of a bucket. */
    public static KeyRange bucket(String bucket) {
        return prefix(("/db/" + bucket + "/").getBytes(StandardCharsets.US_ASCII));
    }

    /** Returns the smallest key that is larger than all keys with this prefix. */
    public static byte[] afterPrefix(byte[] prefix) {
        int last = prefix.length - 1;
        while (prefix[last] == (byte) 0xff) {
            last--;
        }
        byte[] next = Arrays.copyOf(prefix, last + 1);
        next[last]++;
        return next;
    }

    /** Returns the part of this range after {@code key}. */
    public KeyRange after(byte[] key) {
        byte[] next = Arrays.copyOf(key, key.length + 1);
        return new KeyRange(Arrays.compareUnsigned(next, from) < 0 ? from : next, to);
    }

    /** Returns the part of this range that lies in the other one; possibly empty. */
    public KeyRange intersection(KeyRange other) {
        byte[] first = Arrays.compareUnsigned(from, other.from) < 0 ? other.from : from;
        return new KeyRange(first, Arrays.compareUnsigned(to, other.to) < 0 ? to : other.to);
    }

    /** Returns the union of the ranges, as ranges without common keys. */
    public static List<KeyRange> disjoint(List<KeyRange> ranges) {
        List<KeyRange> sorted = ranges.stream()
                .sorted((one, other) -> Arrays.compareUnsigned(one.from, other.from))
                .toList();
        List<KeyRange> disjoint = new ArrayList<>();
        byte[] end = {};
        for (KeyRange range : sorted) {
            KeyRange rest = new KeyRange(Arrays.compareUnsigned(range.from, end) < 0 ? end : range.from, range.to);
            if (!rest.isEmpty()) {
                disjoint.add(rest);
                end = rest.to;
            }
        }
        return disjoint;
    }

    public boolean isEmpty() {
        return Arrays.compareUnsigned(from, to) >= 0;
    }

    public byte[] from() {
        return from;
    }

    public byte[] to() {
        return to;
    }
}
