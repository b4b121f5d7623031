package io.orestes.schema;

import io.invalidb.query.QueryNotSupportedException;
import io.invalidb.query.QuerySyntaxException;
import io.invalidb.query.filter.FieldPath;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.StoredObject;
import io.orestes.schema.codec.FieldPathResolver;
import io.orestes.schema.model.JsonObjectReader;
import io.orestes.schema.type.NamingRules;
import io.orestes.store.IndexSpec;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The codec between indexes and their descriptors in wire form (protocol §11), {@code {"keys":
 * [{"name": "asc"}, …], "unique": false}}. An index that is not unique is listed with the id behind
 * its keys, and accepted with or without it.
 */
final class IndexDescriptorCodec {

    private static final String ID = "id";
    private static final int MAX_KEYS = 32;

    private IndexDescriptorCodec() {}

    /** Parses a descriptor. Fails with {@code BAD_REQUEST} if it is malformed. */
    static IndexSpec parse(BsonDocument descriptor) {
        BsonValue keys = descriptor.get("keys");
        if (keys == null
                || !keys.isArray()
                || keys.asArray().isEmpty()
                || keys.asArray().size() > MAX_KEYS) {
            throw invalid("keys has to be an array of 1 to " + MAX_KEYS + " fields with their kinds");
        }
        List<IndexSpec.IndexedField> read =
                keys.asArray().stream().map(IndexDescriptorCodec::key).toList();
        boolean unique = JsonObjectReader.flag(descriptor, "unique");
        List<IndexSpec.IndexedField> withoutLast = read.subList(0, read.size() - 1);
        return new IndexSpec(!unique && listed(withoutLast).equals(read) ? withoutLast : read, unique);
    }

    private static IndexSpec.IndexedField key(BsonValue element) {
        if (!element.isDocument() || element.asDocument().size() != 1) {
            throw invalid("Each element of keys has exactly one member");
        }
        String path = element.asDocument().getFirstKey();
        String kind = element.asDocument().isString(path)
                ? element.asDocument().getString(path).getValue()
                : "";
        return new IndexSpec.IndexedField(storedPath(path), kind(path, kind));
    }

    private static IndexSpec.IndexKind kind(String path, String kind) {
        return switch (kind) {
            case "asc" -> IndexSpec.IndexKind.ASCENDING;
            case "desc" -> IndexSpec.IndexKind.DESCENDING;
            case "geo" -> IndexSpec.IndexKind.GEO;
            default -> throw invalid("The kind of " + NamingRules.shorten(path) + " has to be asc, desc or geo");
        };
    }

    private static String storedPath(String path) {
        if (path.startsWith("$")) {
            throw noField(path);
        }
        try {
            return FieldPath.parse(FieldPathResolver.storedPath(path)).toString();
        } catch (ApiException | QuerySyntaxException | QueryNotSupportedException e) {
            throw noField(path);
        }
    }

    private static ApiException noField(String path) {
        return invalid("Not a field that can have an index: " + NamingRules.shorten(path));
    }

    static BsonDocument of(IndexSpec index) {
        BsonArray list = new BsonArray();
        (index.unique() ? index.keys() : listed(index.keys()))
                .forEach(key -> list.add(new BsonDocument(
                        key.path().equals(StoredObject.ID) ? ID : key.path(), new BsonString(name(key.kind())))));
        return new BsonDocument("keys", list).append("unique", BsonBoolean.valueOf(index.unique()));
    }

    /**
     * Returns the keys as listed. Objects with equal values are ordered by their ids; a text index
     * has no order.
     */
    private static List<IndexSpec.IndexedField> listed(List<IndexSpec.IndexedField> keys) {
        if (keys.isEmpty()
                || keys.stream()
                        .anyMatch(
                                key -> key.path().equals(StoredObject.ID) || key.kind() == IndexSpec.IndexKind.TEXT)) {
            return keys;
        }
        List<IndexSpec.IndexedField> listed = new ArrayList<>(keys);
        boolean isDescending = keys.get(keys.size() - 1).kind() == IndexSpec.IndexKind.DESCENDING;
        listed.add(new IndexSpec.IndexedField(StoredObject.ID, !isDescending));
        return listed;
    }

    private static String name(IndexSpec.IndexKind kind) {
        return switch (kind) {
            case ASCENDING -> "asc";
            case DESCENDING -> "desc";
            case GEO -> "geo";
            case TEXT -> "text";
        };
    }

    private static ApiException invalid(String message) {
        return new ApiException(ErrorCode.BAD_REQUEST, message);
    }
}
