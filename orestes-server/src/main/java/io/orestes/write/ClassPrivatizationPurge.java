package io.orestes.write;

import io.orestes.caching.CacheInvalidator;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.schema.SchemaRegistry;
import io.orestes.schema.model.ClassOperation;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.Schema;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The stage for schema changes that make public classes private, which waits until shared caches
 * confirm the purge. Such a change succeeds only after no shared cache serves objects that it
 * hides. One that fails for that reason is in force, and its message says so. Later changes of the
 * same classes fail likewise until one of them is confirmed. Thread-safe.
 */
public final class ClassPrivatizationPurge {

    private final SchemaRegistry schemas;
    private final CacheInvalidator caches;

    public ClassPrivatizationPurge(SchemaRegistry schemas, CacheInvalidator caches) {
        this.schemas = schemas;
        this.caches = caches;
    }

    /** Runs a change of any classes, and waits for the purge of those that it hides. */
    public Future<Schema> changeAll(Supplier<Future<Schema>> change) {
        return confirm(bucket -> true, change);
    }

    /** Runs a change of one class, and waits for the purge of those that it hides. */
    public Future<Schema> changeClass(String bucket, Supplier<Future<Schema>> change) {
        return confirm(bucket::equals, change);
    }

    private Future<Schema> confirm(Predicate<String> isConcerned, Supplier<Future<Schema>> change) {
        Schema before = schemas.current();
        return change.get().compose(after -> confirm(hidden(before, after, isConcerned), after));
    }

    private Future<Schema> confirm(List<String> hidden, Schema after) {
        return hidden.isEmpty()
                ? caches.awaitInvalidated().map(after)
                : caches.confirmVisibilityReduction(hidden)
                        .compose(all -> all ? Future.succeededFuture(after) : failUnconfirmed());
    }

    /**
     * Returns the paths of classes that are less public than before, or than at the last
     * confirmation.
     */
    private List<String> hidden(Schema before, Schema after, Predicate<String> isConcerned) {
        return after.classes().stream()
                .filter(now -> before.find(now.name())
                                .filter(known -> hides(known, now))
                                .isPresent()
                        || (isConcerned.test(now.name()) && isHidden(now) && caches.isUnconfirmed(path(now))))
                .map(ClassPrivatizationPurge::path)
                .toList();
    }

    private static boolean hides(ClassSchema before, ClassSchema after) {
        return hides(before, after, ClassOperation.LOAD) || hides(before, after, ClassOperation.QUERY);
    }

    private static boolean hides(ClassSchema before, ClassSchema after, ClassOperation operation) {
        return before.permission(operation).isPublic()
                && !after.permission(operation).isPublic();
    }

    private static boolean isHidden(ClassSchema schema) {
        return !schema.permission(ClassOperation.LOAD).isPublic()
                || !schema.permission(ClassOperation.QUERY).isPublic();
    }

    private static String path(ClassSchema schema) {
        return "/db/" + schema.name();
    }

    private static Future<Schema> failUnconfirmed() {
        return Future.failedFuture(new ApiException(
                ErrorCode.UNAVAILABLE,
                "The schema is changed, but a shared cache has not confirmed the purge of objects that are no longer"
                        + " public; it may serve them until it does. Make the same change again to check"));
    }
}
