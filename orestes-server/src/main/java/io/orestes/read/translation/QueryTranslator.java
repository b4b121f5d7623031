package io.orestes.read.translation;

import io.invalidb.aggregation.AggregateSpec;
import io.invalidb.query.QueryNotSupportedException;
import io.invalidb.query.QuerySyntaxException;
import io.invalidb.query.filter.Filter;
import io.invalidb.query.sort.SortOrder;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.schema.codec.FieldPathResolver;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.Schema;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * The translator of queries from the fields of clients to those of stored documents. {@code id}
 * becomes {@code _id}. {@code {"$date": …}} becomes the stored form of a point in time for the
 * field it is compared with. Paths that begin with an underscore are refused, since they would name
 * internal fields. Immutable.
 */
public final class QueryTranslator {

    private static final Set<String> JUNCTIONS = Set.of("$and", "$or", "$nor");

    private final Schema schema;
    private final FieldPathResolver paths;
    private final AggregateTranslator aggregates;

    /** Creates a translator for queries on one class. */
    public QueryTranslator(Schema schema, ClassSchema type) {
        this.schema = schema;
        this.paths = new FieldPathResolver(schema, type);
        this.aggregates = new AggregateTranslator(schema, type);
    }

    /**
     * Translates a client's filter. Fails with {@code SYNTAX_ERROR} if it is malformed, with {@code
     * QUERY_NOT_SUPPORTED} if it cannot be evaluated.
     */
    public Filter filter(BsonDocument wire) {
        return parsed(() -> Filter.parse(translate(wire)));
    }

    /** Translates a client's order; fails as {@code filter} does. */
    public SortOrder sort(BsonDocument wire) {
        return parsed(() -> SortOrder.parse(translateSort(wire)));
    }

    /** Translates a client's aggregate; fails as {@code filter} does. */
    public AggregateSpec aggregate(BsonDocument wire) {
        return parsed(() -> AggregateSpec.parse(aggregates.translate(wire)));
    }

    /** Translates a client's filter to stored documents. */
    public BsonDocument translate(BsonDocument wire) {
        LiteralVariants forms = new LiteralVariants(schema);
        BsonDocument stored = translate(wire, forms);
        // The result must not depend on the order of the literals.
        return forms.isExhausted() ? translate(wire, forms) : stored;
    }

    private BsonDocument translate(BsonDocument wire, LiteralVariants forms) {
        BsonDocument stored = new BsonDocument();
        for (Map.Entry<String, BsonValue> condition : wire.entrySet()) {
            String key = condition.getKey();
            BsonValue operand = condition.getValue();
            if (JUNCTIONS.contains(key)) {
                stored.append(key, junction(key, operand, forms));
            } else if (key.equals("$expr")) {
                stored.append(key, ExpressionTranslator.translate(operand));
            } else if (key.equals("$jsonSchema")) {
                stored.append(
                        key,
                        new OperandTranslator(paths, forms, key)
                                .translate(JsonSchemaOperandTranslator.translate(operand)));
            } else if (key.startsWith("$")) {
                stored.append(key, new OperandTranslator(paths, forms, key).translate(operand));
            } else {
                stored.append(
                        FieldPathResolver.storedPath(key), new OperandTranslator(paths, forms, key).condition(operand));
            }
        }
        return stored;
    }

    /** Translates a client's sort order to stored documents. */
    public BsonDocument translateSort(BsonDocument wire) {
        BsonDocument stored = new BsonDocument();
        wire.forEach((path, direction) -> stored.append(FieldPathResolver.storedPath(path), direction));
        return stored;
    }

    private BsonValue junction(String key, BsonValue operand, LiteralVariants forms) {
        if (!operand.isArray()) {
            throw syntax(key + " takes an array of queries");
        }
        BsonArray stored = new BsonArray();
        for (BsonValue branch : operand.asArray()) {
            if (!branch.isDocument()) {
                throw syntax(key + " takes an array of queries");
            }
            stored.add(translate(branch.asDocument(), forms));
        }
        return stored;
    }

    private static <T> T parsed(Supplier<T> parser) {
        try {
            return parser.get();
        } catch (QuerySyntaxException e) {
            throw syntax(String.valueOf(e.getMessage()));
        } catch (QueryNotSupportedException e) {
            throw new ApiException(ErrorCode.QUERY_NOT_SUPPORTED, String.valueOf(e.getMessage()));
        }
    }

    static ApiException syntax(String message) {
        return new ApiException(ErrorCode.SYNTAX_ERROR, message);
    }
}
