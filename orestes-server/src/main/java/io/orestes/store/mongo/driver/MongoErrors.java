package io.orestes.store.mongo.driver;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoClientException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoConnectionPoolClearedException;
import com.mongodb.MongoException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.MongoNodeIsRecoveringException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoServerException;
import com.mongodb.MongoServerUnavailableException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoSocketOpenException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.MongoWriteException;
import com.mongodb.WriteConcernException;
import com.mongodb.bulk.BulkWriteError;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.bson.BSONException;
import org.bson.BsonDocument;
import org.bson.BsonMaximumSizeExceededException;

/**
 * The mapping of driver and server errors to API errors, by class and code, never by their text.
 */
public final class MongoErrors {

    private static final int DUPLICATE_KEY = 11_000;

    /** Codes for a document that is too large, before or as the result of an update. */
    private static final Set<Integer> TOO_LARGE = Set.of(10_334, 17_419, 17_420, 7_655_103);

    private static final int BAD_VALUE = 2;
    private static final int OVERFLOW = 15;
    private static final int ILLEGAL_OPERATION = 20;
    private static final int INVALID_BSON = 22;
    private static final int DOLLAR_PREFIXED_NAME = 52;
    private static final int INVALID_REFERENCE = 55;
    private static final int IMMUTABLE_FIELD = 66;
    private static final int TOO_LARGE_FOR_CAPPED = 116;
    private static final int TRANSACTION_TOO_LARGE = 257;

    /**
     * Code of changes that do not fit into the cache of the storage engine. It depends on the load,
     * so it says nothing about an earlier attempt.
     */
    private static final int TRANSACTION_TOO_LARGE_FOR_CACHE = 388;

    private static final int NONCONFORMANT_BSON = 378;
    private static final int NO_INDEX_FOR_NEAR = 291;
    private static final int NO_COLLECTION = 26;
    private static final int NO_INDEX = 27;
    private static final int COLLECTION_EXISTS = 48;
    private static final int UNAUTHORIZED = 13;
    private static final int PARALLEL_ARRAYS = 171;
    private static final int INVALID_DOCUMENT = 121;
    private static final int NO_PLACE = 16_755;
    private static final int CONVERSION_FAILURE = 241;
    private static final int NO_TRANSACTIONS_THERE = 263;

    /**
     * Code for an index on {@code a.0}, which cannot distinguish the first element from a member
     * named 0 of an element.
     */
    private static final int AMBIGUOUS_PATH = 16_746;

    /**
     * Codes of a text index of another program, for a field {@code language} that is no string, or
     * names no language.
     */
    private static final int NO_NAME_OF_LANGUAGE = 17_261;

    private static final int NO_LANGUAGE = 17_262;

    /**
     * Codes of an overloaded server, or of an interruption by a shutdown, a step-down or another
     * program. The command may succeed a moment later.
     */
    private static final Set<Integer> TRANSIENT_CODES = Set.of(
            6, 7, 24, 64, 89, 91, 112, 133, 134, 175, 189, 202, 251, 262, 276, 279, 290, 355, 358, 365, 391, 402, 407,
            433, 449, 450, 462, 9001, 10_107, 11_600, 11_601, 11_602, 13_435, 13_436);

    /**
     * Codes for a transaction that is too old, absent or committed, or does not accept the command.
     */
    private static final Set<Integer> ENDED_TRANSACTION = Set.of(225, 251, 256, NO_TRANSACTIONS_THERE);

    /**
     * Codes for a value that an index does not accept, such as a geo index or one that another
     * program created.
     */
    private static final Set<Integer> OF_INDEXED_VALUES = Set.of(201, 13_026, 13_027, 13_068, 13_654, 16_766);

    /**
     * Codes of a document whose content MongoDB refuses before it writes anything. Every other
     * failure of a write leaves its outcome open: after a lost response the driver sends the write
     * again, and the failure may be that of the second command alone.
     */
    private static final Set<Integer> CONTENT_CODES = Set.of(
            BAD_VALUE,
            OVERFLOW,
            INVALID_BSON,
            INVALID_REFERENCE,
            TOO_LARGE_FOR_CAPPED,
            TRANSACTION_TOO_LARGE,
            NONCONFORMANT_BSON,
            IMMUTABLE_FIELD,
            ILLEGAL_OPERATION,
            DOLLAR_PREFIXED_NAME,
            INVALID_DOCUMENT,
            PARALLEL_ARRAYS,
            NO_PLACE,
            CONVERSION_FAILURE,
            NO_TRANSACTIONS_THERE,
            AMBIGUOUS_PATH,
            NO_NAME_OF_LANGUAGE,
            NO_LANGUAGE);

    /** Codes that may be due to one of several documents. */
    private static final Set<Integer> SINGLE_WRITE_CODES =
            Set.of(DUPLICATE_KEY, PARALLEL_ARRAYS, NO_PLACE, AMBIGUOUS_PATH, NO_NAME_OF_LANGUAGE, NO_LANGUAGE);

    /** Codes of a cursor that was closed or interrupted: unauthorized, not found, killed. */
    private static final Set<Integer> INTERRUPTIONS_OF_READING = Set.of(13, 18, 43, 237);

    private static final String UNREACHABLE_MESSAGE = "MongoDB cannot be reached or is busy";
    private static final Duration TRY_AGAIN_AFTER = Duration.ofSeconds(1);

    private MongoErrors() {}

    /** Maps a failure to one for the client. */
    public static ApiException of(Throwable failure, Duration queryBudget) {
        if (failure instanceof ApiException api) {
            return api;
        }
        if (isNoResponseError(failure)) {
            return unreachable();
        }
        if (failure instanceof MongoExecutionTimeoutException) {
            return tooLong(queryBudget);
        }
        if (isTooLarge(failure)) {
            return new ApiException(ErrorCode.PAYLOAD_TOO_LARGE, "An object would become larger than 16 MB");
        }
        if (isTransient(failure)) {
            return unreachable();
        }
        return other(failure);
    }

    private static ApiException other(Throwable failure) {
        if (failure instanceof BSONException || failure instanceof IllegalArgumentException) {
            return new ApiException(ErrorCode.BAD_REQUEST, "The object cannot be stored: " + failure.getMessage());
        }
        if (OF_INDEXED_VALUES.contains(code(failure))) {
            return new ApiException(ErrorCode.BAD_REQUEST, "An index in MongoDB takes no such value, or not as many");
        }
        return switch (code(failure)) {
            case NO_INDEX_FOR_NEAR ->
                new ApiException(ErrorCode.QUERY_NOT_SUPPORTED, "The query for the nearest objects needs a geo index");
            case NO_PLACE ->
                new ApiException(ErrorCode.BAD_REQUEST, "A value at the path of a geo index is no place on the earth");
            case AMBIGUOUS_PATH ->
                new ApiException(
                        ErrorCode.BAD_REQUEST,
                        "An element of an array has a name that an index takes for the number of an element");
            case NO_NAME_OF_LANGUAGE, NO_LANGUAGE ->
                new ApiException(
                        ErrorCode.BAD_REQUEST,
                        "A text index that another program made in MongoDB"
                                + " refuses what the object has for its language");
            case TRANSACTION_TOO_LARGE, TRANSACTION_TOO_LARGE_FOR_CACHE ->
                new ApiException(
                        ErrorCode.PAYLOAD_TOO_LARGE, "The changes are too large for one transaction of MongoDB");
            case NO_TRANSACTIONS_THERE ->
                new ApiException(
                        ErrorCode.BAD_REQUEST,
                        "MongoDB takes no transaction on this collection, which is capped; a deletion needs one");
            case INVALID_DOCUMENT ->
                new ApiException(
                        ErrorCode.BAD_REQUEST,
                        "A validator that another program gave the collection in MongoDB refuses the object");
            default -> ApiException.of(failure);
        };
    }

    /** Returns the error for a query that exceeded its time. */
    public static ApiException tooLong(Duration budget) {
        return new ApiException(
                ErrorCode.QUERY_NOT_SUPPORTED,
                "The query takes too long; it was stopped after " + budget.toMillis() + " ms");
    }

    /** Returns the error for a temporary failure. */
    public static ApiException unavailable(String message) {
        return new ApiException(ErrorCode.UNAVAILABLE, message + "; try again").withRetryAfter(TRY_AGAIN_AFTER);
    }

    /** Returns the error for a MongoDB that does not respond. */
    public static ApiException unreachable() {
        return unavailable(UNREACHABLE_MESSAGE);
    }

    /** True if another document has the same {@code _id} or the same key in a unique index. */
    public static boolean isDuplicate(Throwable failure) {
        return codes(failure).contains(DUPLICATE_KEY);
    }

    /**
     * True if a compound index leads through two arrays of one object, of which MongoDB accepts one
     * only.
     */
    public static boolean isParallelArraysError(Throwable failure) {
        return codes(failure).contains(PARALLEL_ARRAYS);
    }

    /** True if MongoDB or the driver refuses the content of a write, which then has no effect. */
    public static boolean isContentError(Throwable failure) {
        return isTooLarge(failure)
                || failure instanceof BSONException
                || failure instanceof IllegalArgumentException
                || codes(failure).stream()
                        .anyMatch(code -> CONTENT_CODES.contains(code) || OF_INDEXED_VALUES.contains(code));
    }

    /**
     * True if a failed write may have been applied nevertheless, or may be applied later: MongoDB
     * does not refuse its content, and the driver has sent it.
     */
    static boolean mayHaveBeenApplied(Throwable failure) {
        boolean isRefused = failure instanceof RetriableWriteException
                || isDuplicate(failure)
                || isParallelArraysError(failure)
                || isContentError(failure);
        return !isRefused && !isOfConnecting(failure);
    }

    /** True if there was no server to send a command to, or no connection. */
    private static boolean isOfConnecting(Throwable failure) {
        boolean isOfWaiting =
                failure instanceof MongoTimeoutException && !(failure instanceof MongoOperationTimeoutException);
        return isOfWaiting || failure instanceof MongoSocketOpenException || failure instanceof MongoSecurityException;
    }

    /** True if the collection takes no transactions, as a capped one. */
    public static boolean isTransactionUnsupportedError(Throwable failure) {
        return codes(failure).contains(NO_TRANSACTIONS_THERE);
    }

    /**
     * True if the outcome of the last command is unknown: MongoDB may have a transaction open, or
     * have committed it.
     */
    public static boolean isNoResponseError(Throwable failure) {
        return failure instanceof WriteInDoubtException
                || (isTransient(failure) && !(failure instanceof MongoServerException));
    }

    /** True if MongoDB has responded that a transaction is not open. */
    static boolean isEndedTransactionError(Throwable failure) {
        return failure instanceof MongoServerException
                && (isTransientTransactionError(failure) || ENDED_TRANSACTION.contains(code(failure)));
    }

    /** True if a transaction is not committed, and may be repeated. */
    static boolean isTransientTransactionError(Throwable failure) {
        return hasLabel(failure, MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL);
    }

    /**
     * True if the last attempt of a command was not sent, because its connection could not be
     * opened or another command lost one to the same server. Outside of a transaction the driver
     * may have sent the command before, in an earlier attempt.
     */
    static boolean isUnsentError(Throwable failure) {
        return failure instanceof MongoConnectionPoolClearedException || isOfLostHandshake(failure);
    }

    private static boolean isUnavailable(Throwable failure) {
        return failure instanceof ApiException api && api.code() == ErrorCode.UNAVAILABLE;
    }

    /**
     * True if one of several writes in a request was impossible, for a reason that the failure does
     * not explain to a client.
     */
    public static boolean isSingleWriteError(Throwable failure) {
        return failure instanceof MongoBulkWriteException bulk
                && bulk.getWriteErrors().stream().anyMatch(error -> SINGLE_WRITE_CODES.contains(error.getCode()));
    }

    /** Returns the position of the first write that was impossible for such a reason. */
    public static int firstDuplicate(Throwable failure) {
        return failure instanceof MongoBulkWriteException bulk
                ? bulk.getWriteErrors().get(0).getIndex()
                : 0;
    }

    /** True if an index to be dropped, or its collection, does not exist. */
    public static boolean isMissingIndexError(Throwable failure) {
        return code(failure) == NO_INDEX || code(failure) == NO_COLLECTION;
    }

    /** True if a collection to be created exists already. */
    public static boolean isCollectionExistsError(Throwable failure) {
        return code(failure) == COLLECTION_EXISTS;
    }

    /** Returns the key that another document has already, where the server names it. */
    public static BsonDocument duplicate(Throwable failure) {
        return response(failure).getDocument("keyValue", new BsonDocument());
    }

    private static BsonDocument response(Throwable failure) {
        if (failure instanceof MongoCommandException command) {
            return command.getResponse();
        }
        // the driver's class for an index that cannot be created because of duplicates
        return failure instanceof WriteConcernException write ? write.getResponse() : new BsonDocument();
    }

    /** True if the server did not understand the command, so that it will never succeed there. */
    public static boolean isCommandError(Throwable failure) {
        return failure instanceof MongoCommandException command
                && !isTransient(failure)
                && command.getErrorCode() != NO_INDEX_FOR_NEAR;
    }

    /**
     * True if server or driver reports that a feature, or an index for a query by distance, is
     * absent, now and later.
     */
    public static boolean isUnsupportedError(Throwable failure) {
        boolean isRefused = failure instanceof MongoCommandException
                || failure instanceof MongoWriteException
                || failure instanceof MongoClientException;
        return isRefused && !isTransient(failure);
    }

    /** True if the user lacks the privilege. */
    public static boolean isUnauthorizedError(Throwable failure) {
        return code(failure) == UNAUTHORIZED;
    }

    /**
     * True if the server no longer has the changes since a position, so that a retry is useless.
     */
    public static boolean isPositionLostError(Throwable failure) {
        return failure instanceof MongoCommandException command
                && !isTransient(failure)
                && !INTERRUPTIONS_OF_READING.contains(command.getErrorCode());
    }

    /**
     * True if the server or the driver labels the failure so, e.g. as a transaction that may be
     * repeated.
     */
    static boolean hasLabel(Throwable failure, String label) {
        return failure instanceof MongoException mongo && mongo.hasErrorLabel(label);
    }

    private static boolean isTooLarge(Throwable failure) {
        return failure instanceof BsonMaximumSizeExceededException
                || codes(failure).stream().anyMatch(TOO_LARGE::contains);
    }

    /** True if the operation may succeed a moment later. */
    public static boolean isTransient(Throwable failure) {
        return isUnavailable(failure)
                || failure instanceof MongoTimeoutException
                || failure instanceof MongoSocketException
                || failure instanceof MongoNotPrimaryException
                || failure instanceof MongoNodeIsRecoveringException
                || failure instanceof MongoInterruptedException
                || failure instanceof MongoServerUnavailableException
                || failure instanceof MongoWriteConcernException
                || isUnsentError(failure)
                || isTransientTransactionError(failure)
                || TRANSIENT_CODES.contains(code(failure));
    }

    /** True if a connection broke, or a server was busy, while the driver authenticated. */
    private static boolean isOfLostHandshake(Throwable failure) {
        return failure instanceof MongoSecurityException
                && failure.getCause() != null
                && isTransient(failure.getCause());
    }

    /** Returns the code of the failure, or of the first write that failed; 0 if there is none. */
    private static int code(Throwable failure) {
        return codes(failure).stream().findFirst().orElse(0);
    }

    /** Returns the codes of all writes that failed. */
    private static List<Integer> codes(Throwable failure) {
        if (failure instanceof MongoBulkWriteException bulk
                && !bulk.getWriteErrors().isEmpty()) {
            return bulk.getWriteErrors().stream().map(BulkWriteError::getCode).toList();
        }
        return failure instanceof MongoException mongo ? List.of(mongo.getCode()) : List.of();
    }
}
