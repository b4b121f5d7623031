package io.orestes.read.query;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * A query with typed parameters, stored to be run with different values. The protocol calls it a
 * prepared query (§10.5).
 *
 * @param id its path, {@code /query/<key>}
 * @param bucket the class
 * @param query its filter, with {@code {"$param": "name"}} in the place of values
 * @param sort paths to 1 or -1
 * @param parameters names to refs of types, e.g. {@code /db/Integer}
 */
public record ParameterizedQuery(
        String id, String bucket, BsonDocument query, BsonDocument sort, BsonDocument parameters) {

    private static final String ID = "id";
    private static final String BUCKET = "bucket";
    private static final String QUERY = "query";
    private static final String SORT = "sort";
    private static final String PARAMETERS = "parameters";

    /**
     * Parses the description by a client, which names the class by its name or its ref; fails with
     * {@code BAD_REQUEST} if it is malformed.
     */
    static ParameterizedQuery parse(String id, BsonDocument definition) {
        BsonValue bucket = definition.get(BUCKET);
        if (bucket == null || !bucket.isString()) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "bucket has to be the name of a class");
        }
        return new ParameterizedQuery(
                id,
                bucket.asString().getValue().replaceFirst("^/db/", ""),
                object(definition, QUERY),
                object(definition, SORT),
                object(definition, PARAMETERS));
    }

    private static BsonDocument object(BsonDocument definition, String member) {
        return Optional.ofNullable(definition.get(member))
                .filter(value -> !value.isNull())
                .map(value -> {
                    if (!value.isDocument()) {
                        throw new ApiException(ErrorCode.BAD_REQUEST, member + " has to be an object");
                    }
                    return value.asDocument();
                })
                .orElseGet(BsonDocument::new);
    }

    /** Returns the complete description. */
    public BsonDocument toBson() {
        return new BsonDocument(ID, new BsonString(id))
                .append(BUCKET, new BsonString(bucket))
                .append(QUERY, query)
                .append(SORT, sort)
                .append(PARAMETERS, parameters);
    }
}
