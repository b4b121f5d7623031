package io.orestes.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Makes a counterexample smaller as long as it remains one. */
final class Shrinker {

    private static final int MAX_ATTEMPTS = 4_000;

    private int attempts = 0;

    /** Returns the smallest document found that is still a counterexample. */
    BsonDocument shrink(BsonDocument start, Predicate<BsonDocument> isCounterexample) {
        BsonDocument smallest = start;
        boolean progress = true;
        while (progress && attempts < MAX_ATTEMPTS) {
            progress = false;
            for (BsonValue smaller : reductions(smallest)) {
                if (smaller instanceof BsonDocument document && attempt(document, isCounterexample)) {
                    smallest = document;
                    progress = true;
                    break;
                }
            }
        }
        return smallest;
    }

    private boolean attempt(BsonDocument document, Predicate<BsonDocument> isCounterexample) {
        attempts++;
        return attempts < MAX_ATTEMPTS && isCounterexample.test(document);
    }

    private static List<BsonValue> reductions(BsonValue value) {
        List<BsonValue> found = new ArrayList<>();
        if (value instanceof BsonDocument document) {
            ofDocument(document, found::add);
        } else if (value instanceof BsonArray array) {
            ofArray(array, found::add);
        } else if (value instanceof BsonString text) {
            ofText(text.getValue(), found::add);
        } else if (!(value instanceof BsonInt32)) {
            found.add(new BsonInt32(1));
        }
        return found;
    }

    private static void ofDocument(BsonDocument document, Consumer<BsonValue> found) {
        document.values().stream().filter(BsonDocument.class::isInstance).forEach(found);
        document.values().stream()
                .flatMap(value -> value instanceof BsonArray array ? array.stream() : Stream.empty())
                .filter(BsonDocument.class::isInstance)
                .forEach(found);
        document.keySet().stream().filter(name -> !name.equals("_id")).forEach(name -> {
            BsonDocument without = document.clone();
            without.remove(name);
            found.accept(without);
        });
        document.forEach((name, value) -> reductions(value).forEach(smaller -> {
            BsonDocument changed = document.clone();
            changed.put(name, smaller);
            found.accept(changed);
        }));
    }

    private static void ofArray(BsonArray array, Consumer<BsonValue> found) {
        array.forEach(found);
        for (int i = 0; i < array.size(); i++) {
            BsonArray without = array.clone();
            without.remove(i);
            found.accept(without);
        }
        for (int i = 0; i < array.size(); i++) {
            for (BsonValue smaller : reductions(array.get(i))) {
                BsonArray changed = array.clone();
                changed.set(i, smaller);
                found.accept(changed);
            }
        }
    }

    private static void ofText(String text, Consumer<BsonValue> found) {
        if (!text.isEmpty()) {
            int half = text.offsetByCodePoints(0, text.codePointCount(0, text.length()) / 2);
            found.accept(new BsonString(text.substring(0, half)));
            found.accept(new BsonString(text.substring(half)));
            found.accept(new BsonString(text.substring(text.offsetByCodePoints(0, 1))));
            found.accept(new BsonString(text.substring(0, text.offsetByCodePoints(text.length(), -1))));
        }
    }
}
