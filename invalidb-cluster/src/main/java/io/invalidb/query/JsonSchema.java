package io.invalidb.query;

import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * A parsed JSON schema of {@code $jsonSchema}: draft 4 as far as MongoDB supports it, with {@code
 * bsonType}. Immutable.
 *
 * @param rules all have to hold
 * @param form  the schema with sorted keywords and without titles and descriptions
 */
record JsonSchema(List<Rule> rules, BsonDocument form) {

    /** One keyword. */
    interface Rule {
        /** Values of other types than the keyword is about are accepted. */
        boolean accepts(BsonValue value, StepBudget stepBudget);
    }

    boolean accepts(BsonValue value, StepBudget stepBudget) {
        for (int i = 0; i < rules.size(); i++) {
            stepBudget.spend(1);
            if (!rules.get(i).accepts(value, stepBudget)) {
                return false;
            }
        }
        return true;
    }
}
