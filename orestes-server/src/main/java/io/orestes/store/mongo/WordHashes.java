package io.orestes.store.mongo;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.DocumentWords;
import io.invalidb.query.Filter;
import io.invalidb.query.HeapSize;
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
 * The hashed words of an object, 32 bits each, which its document stores for the index of
 * {@code $text}. A search examines the objects that have the hash of its word, since they may
 * match. It also examines objects that hold no hashes.
 */
final class WordHashes {

    private static final HashFunction HASH = Hashing.murmur3_32_fixed();

    private static final int MOST = 10_000;

    /**
     * Of an object. Its words may take 100 KB in MongoDB, and the whole at most 16 MB, where a
     * character is up to three times as long.
     */
    private static final long LARGEST = 5 << 20;

    private WordHashes() {}

    /** What an object holds; nothing if that is too much, or takes too long to find. */
    static Optional<BsonValue> of(BsonDocument document) {
        if (HeapSize.of(document) > LARGEST) {
            return Optional.empty();
        }
        try {
            Set<String> words = DocumentWords.of(document);
            return words.size() > MOST ? Optional.empty() : Optional.of(held(words));
        } catch (BudgetExceededException e) {
            return Optional.empty();
        }
    }

    /** An empty array would be looked at like what is not there. */
    private static BsonValue held(Set<String> words) {
        return words.isEmpty() ? BsonBoolean.FALSE : hashes(words);
    }

    /** A filter of what may have one of these words, at the path where objects hold them. */
    static Filter anyOf(String path, Set<String> words) {
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
