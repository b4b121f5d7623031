package io.orestes.wire;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The JSON format of errors for all transports (protocol §2, §18.3), and the only place where
 * server faults are logged.
 */
public final class ErrorFormat {

    private static final Logger log = LoggerFactory.getLogger(ErrorFormat.class);

    private ErrorFormat() {}

    /**
     * Returns the failure as clients may see it; a fault of this server is logged with its cause.
     *
     * @param what name of the failed operation in the log
     */
    public static ApiException logAndConvert(Throwable cause, String what) {
        ApiException failure = ApiException.of(cause);
        if (failure.code().isServerFault() && failure.getCause() != null) {
            log.error("{} failed: {}", what, failure.message(), failure.getCause());
        }
        return failure;
    }

    /** Returns the members of an error. */
    public static BsonDocument of(ApiException failure) {
        ErrorCode code = failure.code();
        BsonDocument form = new BsonDocument("status", new BsonInt32(code.httpStatus()))
                .append("className", new BsonString(code.className()))
                .append("reason", new BsonString(code.reason()))
                .append("message", new BsonString(failure.message()));
        failure.data().ifPresent(data -> form.append("data", data));
        return form;
    }
}
