package io.orestes.http.data;

import io.orestes.http.protocol.EntityTags;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectETagCodec;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.wire.ErrorFormat;
import io.orestes.write.ObjectIdRules;
import io.orestes.write.WritePipeline;
import io.orestes.write.WriteRequest;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The writes of one {@code POST /db/:bucket/bulk}, in order for each object and otherwise
 * concurrent. Each write has the outcome that it would have alone. The store can commit concurrent
 * writes together. Used by one event loop.
 */
final class BulkWrites {

    /** Maximum number of operations in one request. */
    static final int MAX_OPERATIONS = 1_000;

    private static final String CONDITION = "ifMatch";

    /** Allowed members of an operation beside its subject, by kind. */
    private static final Map<String, Set<String>> KINDS = Map.of(
            "insert", Set.of(),
            "replace", Set.of(CONDITION),
            "update", Set.of("id", CONDITION),
            "delete", Set.of(CONDITION));

    private final WritePipeline writes;
    private final Principal principal;
    private final String bucket;

    /** Completion of the last write of each object, whatever its outcome. */
    private final Map<ObjectRef, Future<?>> last = new HashMap<>();

    BulkWrites(WritePipeline writes, Principal principal, String bucket) {
        this.writes = writes;
        this.principal = principal;
        this.bucket = bucket;
    }

    /**
     * Runs the operations of {@code {"operations": […]}}; fails with {@code BAD_REQUEST} or {@code
     * PAYLOAD_TOO_LARGE} as a whole only if the body is malformed.
     *
     * @return {@code {"results": […]}}, in the order of the operations
     */
    Future<BsonDocument> run(BsonDocument body) {
        List<Future<BsonDocument>> results = new ArrayList<>();
        for (BsonValue operation : operations(body)) {
            results.add(result(operation));
        }
        return Future.join(results).map(done -> {
            BsonArray outcomes = new BsonArray();
            results.forEach(result -> outcomes.add(result.result()));
            return new BsonDocument("results", outcomes);
        });
    }

    private static BsonArray operations(BsonDocument body) {
        BsonValue operations = body.get("operations", BsonNull.VALUE);
        if (body.size() != 1 || !operations.isArray()) {
            throw malformed("A bulk request is an object with the array operations");
        }
        if (operations.asArray().size() > MAX_OPERATIONS) {
            throw new ApiException(
                    ErrorCode.PAYLOAD_TOO_LARGE, "A bulk request has at most " + MAX_OPERATIONS + " operations");
        }
        return operations.asArray();
    }

    private Future<BsonDocument> result(BsonValue operation) {
        return Future.succeededFuture()
                .map(begin -> request(operation))
                .compose(request -> inTurn(request)
                        .map(stored ->
                                stored.map(object -> done(request, object)).orElseGet(() -> deleted(request)))
                        .otherwise(failure -> failed(failure).append("id", id(request.ref()))))
                .otherwise(BulkWrites::failed);
    }

    private Future<Optional<StoredObject>> inTurn(WriteRequest request) {
        Future<?> before = last.getOrDefault(request.ref(), Future.succeededFuture());
        Future<Optional<StoredObject>> written = before.compose(turn -> writes.write(principal, request));
        last.put(request.ref(), written.otherwise(Optional.empty()));
        return written;
    }

    /**
     * Creates the result of a write. The stored state gives the id, since some classes accept none
     * from clients.
     */
    private static BsonDocument done(WriteRequest request, StoredObject stored) {
        int status = request.isInsertion() ? 201 : 200;
        return new BsonDocument("status", new BsonInt32(status))
                .append("id", id(stored.ref()))
                .append("version", new BsonInt64(stored.version()));
    }

    private static BsonDocument deleted(WriteRequest request) {
        return new BsonDocument("status", new BsonInt32(204)).append("id", id(request.ref()));
    }

    private static BsonDocument failed(Throwable cause) {
        ApiException failure = ErrorFormat.logAndConvert(cause, "bulk operation");
        return new BsonDocument("status", new BsonInt32(failure.code().httpStatus()))
                .append("error", ErrorFormat.of(failure));
    }

    private static BsonString id(ObjectRef ref) {
        return new BsonString(ref.id());
    }

    private WriteRequest request(BsonValue operation) {
        if (!operation.isDocument()) {
            throw malformed("An operation is an object with one of insert, replace, update and delete");
        }
        BsonDocument members = operation.asDocument();
        List<String> kinds =
                members.keySet().stream().filter(KINDS::containsKey).toList();
        if (kinds.size() != 1) {
            throw malformed("An operation has one of insert, replace, update and delete");
        }
        requireKnown(kinds.get(0), members);
        return request(kinds.get(0), members);
    }

    /**
     * Fails on unknown members: a misspelt condition, or one without meaning here, must not be
     * ignored.
     */
    private static void requireKnown(String kind, BsonDocument members) {
        Set<String> more = KINDS.getOrDefault(kind, Set.of());
        if (!members.keySet().stream().allMatch(name -> name.equals(kind) || more.contains(name))) {
            throw malformed("An operation with " + kind + " has "
                    + (more.isEmpty()
                            ? "no other members"
                            : "no other members than "
                                    + String.join(
                                            " and ", more.stream().sorted().toList())));
        }
    }

    private WriteRequest request(String kind, BsonDocument members) {
        BsonValue subject = members.get(kind, BsonNull.VALUE);
        Precondition expected = expected(members.get(CONDITION, BsonNull.VALUE));
        return switch (kind) {
            case "insert" ->
                new WriteRequest.InsertRequest(
                        idIn(object(subject))
                                .orElseGet(() ->
                                        new ObjectRef(bucket, UUID.randomUUID().toString())),
                        object(subject));
            case "replace" -> new WriteRequest.ReplaceRequest(named(object(subject)), object(subject), expected);
            case "update" -> new WriteRequest.UpdateRequest(named(members), List.of(object(subject)), expected);
            default -> new WriteRequest.DeleteRequest(named(new BsonDocument("id", subject)), expected);
        };
    }

    private ObjectRef named(BsonDocument holder) {
        return idIn(holder).orElseThrow(() -> malformed("The operation names no object by its id"));
    }

    private Optional<ObjectRef> idIn(BsonDocument holder) {
        return ObjectIdRules.idIn(holder, bucket);
    }

    private static BsonDocument object(BsonValue value) {
        if (!value.isDocument()) {
            throw malformed("What is inserted, replaced or updated is an object");
        }
        return value.asDocument();
    }

    /** Parses the expected version: a number, or the value of {@code If-Match}. */
    private static Precondition expected(BsonValue given) {
        if (given.isNull()) {
            return Precondition.none();
        }
        String tag = given.isInt64() ? Long.toString(given.asInt64().getValue()) : text(given);
        return tag.equals("*")
                ? new Precondition.ObjectExists()
                : ObjectETagCodec.decodePrecondition(EntityTags.opaque(tag)).orElseThrow(BulkWrites::noVersion);
    }

    private static String text(BsonValue given) {
        if (!given.isString()) {
            throw noVersion();
        }
        return given.asString().getValue();
    }

    private static ApiException noVersion() {
        return malformed("ifMatch is a version from 1, an entity tag or *");
    }

    private static ApiException malformed(String message) {
        return new ApiException(ErrorCode.BAD_REQUEST, message);
    }
}
