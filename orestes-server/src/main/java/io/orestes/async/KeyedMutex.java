package io.orestes.async;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A FIFO mutex for each key, such as an object id, acquired for several keys at once. It orders the
 * writers of one object in this process, so that they do not refuse one another by its version.
 * Writers of other objects need not wait. Used on the store's context only.
 */
public final class KeyedMutex {

    private final Context home;
    /** The last acquisition of each key; keys without one are absent. */
    private final Map<String, Promise<Void>> tails = new HashMap<>();

    public KeyedMutex(Context home) {
        this.home = home;
    }

    /** Executes work after all earlier acquisitions of these keys have ended. */
    public <T> Future<T> runExclusively(Set<String> ids, Supplier<Future<T>> work) {
        Promise<Void> turn = Promise.promise();
        List<Future<Void>> before = ids.stream()
                .map(id -> tails.put(id, turn))
                .filter(Objects::nonNull)
                .map(Promise::future)
                .toList();
        return Future.all(before).compose(all -> work.get()).onComplete(done -> release(ids, turn));
    }

    /**
     * Releases the keys. The next acquisition begins at the bottom of the stack, not inside of the
     * call that ended this one.
     */
    private void release(Set<String> ids, Promise<Void> turn) {
        ids.forEach(id -> tails.remove(id, turn));
        home.runOnContext(now -> turn.complete());
    }
}
