package io.orestes.store.mongo.index;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.filter.Filter;
import io.invalidb.query.text.IndexWordExtractor;
import io.invalidb.query.value.HeapSize;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonValue;

/**
 * The hashed words of an object, 32 bits each, which its document stores for the index of {@code
 * $text}. A search examines the objects that have the hash of its word, since they may match. It
 * also examines objects without hashes.
 */
public final class WordHashes {

    private static final HashFunction HASH = Hashing.murmur3_32_fixed();

    private static final int MAX_WORDS = 10_000;

    /**
     * Maximum bytes of an object with hashes. Its words may take 100 KB in MongoDB, and the whole
     * at most 16 MB, where a character is up to three times as long.
     */
    private static final long MAX_HEAP_BYTES = 5 << 20;

    private WordHashes() {}

    /**
     * Returns the hashes of an object; empty if there are too many, or they take too long to find.
     */
    static Optional<BsonValue> of(BsonDocument document) {
        if (HeapSize.of(document) > MAX_HEAP_BYTES) {
            return Optional.empty();
        }
        try {
            Set<String> words = IndexWordExtractor.of(document);
            return words.size() > MAX_WORDS ? Optional.empty() : Optional.of(held(words));
        } catch (BudgetExceededException e) {
            return Optional.empty();
        }
    }

    /**
     * Returns false for no words, because a search would examine an empty array like a missing one.
     */
    private static BsonValue held(Set<String> words) {
        return words.isEmpty() ? BsonBoolean.FALSE : hashes(words);
    }

    /**
     * Returns a filter of objects that may have one of these words, at the path of their hashes.
     */
    public static Filter anyOf(String path, Set<String> words) {
        BsonArray values = hashes(words);
        values.add(BsonNull.VALUE);
        return Filter.parse(new BsonDocument(path, new BsonDocument("$in", values)));
    }

    private static BsonArray hashes(Set<String> words) {
        BsonArray hashes = new BsonArray();
        words.stream()
                .mapToInt(word -> HASH.hashString(word, StandardCharsets.UTF_8).asInt())
                .sorted()
                .distinct()
                .forEach(hash -> hashes.add(new BsonInt32(hash)));
        return hashes;
    }
}
