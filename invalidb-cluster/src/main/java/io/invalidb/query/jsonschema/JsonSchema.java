package io.invalidb.query.jsonschema;

import io.invalidb.query.StepBudget;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * A parsed JSON schema of {@code $jsonSchema}: draft 4 as far as MongoDB supports it, with {@code
 * bsonType}. Immutable.
 *
 * @param rules rules that all have to be satisfied
 * @param form the schema with sorted keywords and without titles and descriptions
 */
public record JsonSchema(List<Rule> rules, BsonDocument form) {

    /** The rule of one keyword. */
    interface Rule {
        /**
         * Returns whether the value conforms; values of types that the keyword does not apply to
         * do.
         */
        boolean accepts(BsonValue value, StepBudget stepBudget);
    }

    public boolean accepts(BsonValue value, StepBudget stepBudget) {
        for (int i = 0; i < rules.size(); i++) {
            stepBudget.spend(1);
            if (!rules.get(i).accepts(value, stepBudget)) {
                return false;
            }
        }
        return true;
    }
}
