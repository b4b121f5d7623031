package io.orestes.write;

import io.orestes.auth.AccessControl;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.schema.ClassSchema;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.BiFunction;
import org.bson.BsonDocument;

/**
 * Replaces of objects that do not come into being that way, or of which a part is not for the caller to change. What there
 * is is looked up first, and the replace is made only over that very state, again if another write came between.
 */
final class GuardedReplaces {

    private static final int ATTEMPTS = 20;

    private final ObjectStore store;

    GuardedReplaces(ObjectStore store) {
        this.store = store;
    }

    /** A replace as its caller wants it. */
    record Wanted(
            Principal principal, ClassSchema type, ObjectRef ref, BsonDocument fields, Precondition precondition) {

        private boolean isFree() {
            return AccessControl.mayInsertUnderId(principal, type) && !AccessControl.hasReadOnlyFields(principal, ref);
        }
    }

    /** What replaces the object by these fields under that condition. */
    interface Replacing extends BiFunction<BsonDocument, Precondition, Future<Written>> {}

    /** Fails with {@code PERMISSION_DENIED} instead of inserting what must not be. */
    Future<Written> replace(Wanted wanted, Replacing replacing) {
        return wanted.isFree()
                ? replacing.apply(wanted.fields(), wanted.precondition())
                : replace(wanted, replacing, ATTEMPTS);
    }

    private Future<Written> replace(Wanted wanted, Replacing replacing, int attempts) {
        return store.find(wanted.ref())
                .compose(found -> found.isPresent()
                        ? over(found.get(), wanted, replacing)
                                .recover(failure -> attempts > 1 && isOvertaken(failure, found.get(), wanted)
                                        ? replace(wanted, replacing, attempts - 1)
                                        : Future.failedFuture(failure))
                        : overNothing(wanted, replacing));
    }

    private static Future<Written> over(StoredObject current, Wanted wanted, Replacing replacing) {
        return replacing.apply(
                AccessControl.withReadOnlyFields(wanted.principal(), current, wanted.fields()),
                wanted.precondition().and(new Precondition.ExactState(current.version(), current.updatedAt())));
    }

    private static Future<Written> overNothing(Wanted wanted, Replacing replacing) {
        return wanted.precondition().allows(Optional.empty())
                ? Future.failedFuture(new ApiException(
                        ErrorCode.PERMISSION_DENIED,
                        "Inserts of " + wanted.type().name() + " objects under an id of one's choice are not allowed"))
                : replacing.apply(wanted.fields(), wanted.precondition().and(new Precondition.NoObject()));
    }

    private static boolean isOvertaken(Throwable failure, StoredObject seen, Wanted wanted) {
        return ApiException.of(failure).code() == ErrorCode.OBJECT_OUT_OF_DATE
                && wanted.precondition().allows(Optional.of(seen));
    }
}
