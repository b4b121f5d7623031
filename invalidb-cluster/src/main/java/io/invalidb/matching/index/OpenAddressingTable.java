package io.invalidb.matching.index;

import io.invalidb.query.value.SeededHash;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A compact hash table with open addressing, whose values contain their keys. It uses linear
 * probing (Knuth, TAOCP 3, section 6.4, algorithms L and R). A value takes 6 to 12 bytes, where a
 * {@code HashMap} takes 40 and more. Single-threaded.
 */
public final class OpenAddressingTable<K, V> {

    private static final int MIN_CAPACITY = 8;

    private final Function<V, K> keyOf;
    private final ToIntFunction<K> hashOf;
    private @Nullable Object[] slots = new Object[MIN_CAPACITY];
    private int size;

    /**
     * @param hashOf returns hashes with well-distributed lowest bits, also for keys chosen by an
     *     attacker
     */
    OpenAddressingTable(Function<V, K> keyOf, ToIntFunction<K> hashOf) {
        this.keyOf = keyOf;
        this.hashOf = hashOf;
    }

    /** Creates a table of values with text keys from untrusted clients. */
    public static <V> OpenAddressingTable<String, V> byText(Function<V, String> keyOf) {
        return new OpenAddressingTable<>(keyOf, text -> (int) SeededHash.of(text));
    }

    @Nullable
    public V get(K key) {
        return at(place(key));
    }

    /** Adds a value, or replaces the one with its key. */
    public void put(V value) {
        int place = place(keyOf.apply(value));
        size += slots[place] == null ? 1 : 0;
        slots[place] = value;
        if (3 * size > 2 * slots.length) {
            resize(2 * slots.length);
        }
    }

    @Nullable
    public V remove(K key) {
        int place = place(key);
        V removed = at(place);
        if (removed != null) {
            size--;
            close(place);
            if (slots.length > MIN_CAPACITY && 8 * size < slots.length) {
                resize(slots.length / 2);
            }
        }
        return removed;
    }

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    /** Returns the position of the value with that key, or of its insertion. */
    private int place(K key) {
        int place = home(key);
        for (V value = at(place); value != null && !keyOf.apply(value).equals(key); value = at(place)) {
            place = next(place);
        }
        return place;
    }

    private int home(K key) {
        return hashOf.applyAsInt(key) & (slots.length - 1);
    }

    private int next(int place) {
        return (place + 1) & (slots.length - 1);
    }

    @SuppressWarnings("unchecked")
    private @Nullable V at(int place) {
        return (V) slots[place];
    }

    /** Moves values back that would not be found any more behind an empty position. */
    private void close(int gap) {
        int empty = gap;
        slots[empty] = null;
        int place = next(gap);
        for (V value = at(place); value != null; value = at(place)) {
            int distanceFromHome = (place - home(keyOf.apply(value))) & (slots.length - 1);
            int distanceFromGap = (place - empty) & (slots.length - 1);
            if (distanceFromHome >= distanceFromGap) {
                slots[empty] = value;
                slots[place] = null;
                empty = place;
            }
            place = next(place);
        }
    }

    private void resize(int length) {
        @Nullable Object[] old = slots;
        slots = new Object[length];
        for (Object value : old) {
            if (value != null) {
                add(value);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private void add(Object value) {
        slots[place(keyOf.apply((V) value))] = value;
    }
}
