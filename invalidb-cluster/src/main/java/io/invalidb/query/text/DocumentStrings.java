package io.invalidb.query.text;

import io.invalidb.query.StepBudget;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The traversal of all strings of a document, in order and each with its language. It visits the
 * strings in MongoDB's wildcard text index, without the metadata of stored objects. A field {@code
 * language} sets the language of the strings in its object and in nested objects. That field itself
 * is not searched.
 */
final class DocumentStrings {

    private static final String LANGUAGE = "language";

    private final Visitor visitor;
    private final StepBudget stepBudget;

    private DocumentStrings(Visitor visitor, StepBudget stepBudget) {
        this.visitor = visitor;
        this.stepBudget = stepBudget;
    }

    /** A visitor of strings. */
    interface Visitor {
        void visit(String text, SearchLanguage language);
    }

    static void visit(BsonDocument document, Visitor visitor, StepBudget stepBudget) {
        DocumentStrings texts = new DocumentStrings(visitor, stepBudget);
        SearchLanguage language = language(document, SearchLanguage.ENGLISH);
        for (Map.Entry<String, BsonValue> field : document.entrySet()) {
            if (!isMetadata(field.getKey())) {
                texts.field(field, language);
            }
        }
    }

    /** Returns whether the field is metadata, whose strings are ids, some of them confidential. */
    private static boolean isMetadata(String field) {
        return field.startsWith("_") || field.equals("acl");
    }

    /**
     * Returns the language of a document: none for a name that stands for none, and the outer one
     * for other values of the field.
     */
    private static SearchLanguage language(BsonDocument document, SearchLanguage outer) {
        if (!(document.get(LANGUAGE) instanceof BsonString name)) {
            return outer;
        }
        Optional<SearchLanguage> language = SearchLanguage.named(name.getValue());
        return language.orElse(SearchLanguage.NONE);
    }

    private void field(Map.Entry<String, BsonValue> field, SearchLanguage language) {
        if (!field.getKey().equals(LANGUAGE)) {
            value(field.getValue(), language);
        }
    }

    private void value(BsonValue value, SearchLanguage language) {
        stepBudget.spend(1);
        if (value instanceof BsonString text) {
            visitor.visit(text.getValue(), language);
        } else if (value instanceof BsonDocument document) {
            SearchLanguage own = language(document, language);
            document.entrySet().forEach(field -> field(field, own));
        } else if (value instanceof BsonArray array) {
            array.forEach(element -> value(element, language));
        }
    }
}
