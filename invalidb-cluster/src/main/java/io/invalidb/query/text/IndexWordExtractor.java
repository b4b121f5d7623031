package io.invalidb.query.text;

import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.StepBudget;
import java.util.HashSet;
import java.util.Set;
import org.bson.BsonDocument;

/**
 * The extractor of the words under which an index for {@code $text} has a document. They come from
 * all its texts, without case, stop words, endings and accents, each text in its own language.
 */
public final class IndexWordExtractor {

    private static final long STEPS_PER_CHARACTER = 1;

    private IndexWordExtractor() {}

    /**
     * Returns the distinct words.
     *
     * @throws BudgetExceededException if there is too much text, so that searches may fail on the
     *     document
     */
    public static Set<String> of(BsonDocument document) {
        StepBudget stepBudget = new StepBudget();
        TextAnalyzer reader = new TextAnalyzer(stepBudget);
        Set<String> found = new HashSet<>();
        DocumentStrings.visit(
                document,
                (text, language) -> {
                    stepBudget.spend(STEPS_PER_CHARACTER * text.length());
                    TextAnalyzer.split(text, language, word -> {
                        if (!TextAnalyzer.isStopWord(word, language)) {
                            found.add(reader.form(word, language, SearchSensitivity.NONE));
                        }
                    });
                },
                stepBudget);
        return found;
    }
}
