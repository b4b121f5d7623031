package io.orestes.store;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * The validator of a batch, which compares the object states that it expects with the current ones.
 * It collects all stale objects and reports them together. Any other reason against a write fails
 * the comparison at once. For one thread.
 */
public final class BatchValidator {

    private final Principal writer;
    private final Function<ObjectRef, Optional<StoredObject>> states;
    private final Set<String> stale = new LinkedHashSet<>();
    private boolean isCheckOutdated;

    /** @param states the states before all writes of the batch */
    public BatchValidator(Principal writer, Function<ObjectRef, Optional<StoredObject>> states) {
        this.writer = writer;
        this.states = states;
    }

    /** Compares the current state with the one that a write expects. */
    public void compare(ObjectRef ref, WriteGuard guard) {
        try {
            guard.check(ref, states.apply(ref).orElse(null));
        } catch (ApiException refused) {
            if (refused.code() != ErrorCode.OBJECT_OUT_OF_DATE) {
                throw refused;
            }
            stale.add(ref.id());
        }
    }

    /** Compares the current state with the one that the transaction has read. */
    public void compare(Batch.ReadSetEntry read) {
        Optional<StoredObject> readable =
                states.apply(read.ref()).filter(object -> object.acl().read().permits(writer));
        if (!read.precondition().allows(readable.orElse(null))) {
            stale.add(read.ref().id());
        }
    }

    /** Compares the current state with the one that a check of the server found. */
    public void compare(Batch.StateAssertion premise) {
        isCheckOutdated |=
                !premise.precondition().allows(states.apply(premise.ref()).orElse(null));
    }

    /**
     * Throws {@code OBJECT_OUT_OF_DATE} with the ids of all objects that are not as the writer
     * expects. If there are none but an assertion does not hold, throws an {@code UNAVAILABLE} that
     * is {@link ApiException#isRepeatable repeatable}.
     */
    public void requireValid() {
        if (!stale.isEmpty()) {
            throw outOfDate();
        }
        if (isCheckOutdated) {
            throw outdatedCheck();
        }
    }

    private static ApiException outdatedCheck() {
        return new ApiException(
                        ErrorCode.UNAVAILABLE, "The states by which this write was checked keep changing; try again")
                .asRepeatable();
    }

    private ApiException outOfDate() {
        BsonArray ids = new BsonArray(stale.stream().map(BsonString::new).toList());
        String first = stale.iterator().next();
        return new ApiException(
                        ErrorCode.OBJECT_OUT_OF_DATE,
                        stale.size() == 1
                                ? "The object " + first + " is out of date"
                                : "The object " + first + " is out of date, and " + (stale.size() - 1) + " more")
                .withData(new BsonDocument("stale", ids));
    }
}
