package io.orestes.read.translation;

import io.orestes.json.WireDates;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.schema.codec.FieldPathResolver;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The translator of {@code $expr} expressions from the fields of clients to those of stored
 * documents. {@code {"$date": …}} becomes an instant. Internal fields of the server can be named
 * neither directly nor through the whole document.
 */
final class ExpressionTranslator {

    private ExpressionTranslator() {}

    static BsonValue translate(BsonValue formula) {
        if (formula instanceof BsonString text) {
            return text.getValue().startsWith("$") ? new BsonString(variable(text.getValue())) : text;
        }
        if (formula instanceof BsonArray array) {
            return new BsonArray(
                    array.stream().map(ExpressionTranslator::translate).toList());
        }
        return formula instanceof BsonDocument document ? object(document) : formula;
    }

    private static String variable(String text) {
        if (text.equals("$$ROOT") || text.equals("$$CURRENT")) {
            throw new ApiException(ErrorCode.QUERY_NOT_SUPPORTED, "Expressions name single fields, not " + text);
        }
        boolean isWhole = text.startsWith("$$ROOT.") || text.startsWith("$$CURRENT.");
        if (text.startsWith("$$") && !isWhole) {
            return text;
        }
        String path = isWhole ? text.substring(text.indexOf('.') + 1) : text.substring(1);
        return "$" + FieldPathResolver.storedPath(path);
    }

    private static BsonValue object(BsonDocument document) {
        if (document.containsKey("$date")) {
            return date(document);
        }
        BsonDocument translated = new BsonDocument();
        document.forEach(
                (name, formula) -> translated.put(name, name.equals("$literal") ? formula : translate(formula)));
        return translated;
    }

    private static BsonValue date(BsonDocument document) {
        if (document.size() == 1 && document.get("$date") instanceof BsonString text) {
            return new BsonDateTime(WireDates.parseDateTime(text.getValue())
                    .orElseThrow(() -> QueryTranslator.syntax("$date takes a date in ISO form")));
        }
        throw QueryTranslator.syntax("$date takes a date in ISO form and stands alone");
    }
}
