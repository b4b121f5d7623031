package io.orestes.store.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;

/** Requests to a server that fails. */
public final class FailingServerRequests {

    private FailingServerRequests() {}

    public static Future<StoredObject> replace(MongoObjectStore by, ObjectRef ref, int number) {
        return by.replace(ref, n(number), Precondition.none(), Principal.SERVER);
    }

    public static List<Future<StoredObject>> together(IntFunction<Future<StoredObject>> write) {
        return IntStream.range(0, 50).mapToObj(write).toList();
    }

    static void assertUnavailable(Throwable failure) {
        assertThat(failure).isInstanceOfSatisfying(ApiException.class, refusal -> {
            assertThat(refusal.code()).isEqualTo(ErrorCode.UNAVAILABLE);
            assertThat(refusal.retryAfter()).isPresent();
        });
    }

    public static BsonDocument n(int number) {
        return new BsonDocument("n", new BsonInt32(number));
    }
}
