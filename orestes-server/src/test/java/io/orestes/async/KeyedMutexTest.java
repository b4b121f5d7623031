package io.orestes.async;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitThat;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class KeyedMutexTest {

    private final Vertx vertx = Vertx.vertx();
    private final Context home = vertx.getOrCreateContext();
    private final KeyedMutex mutex = new KeyedMutex(home);
    private final List<String> begun = new CopyOnWriteArrayList<>();
    private final Map<String, Promise<String>> ends = new ConcurrentHashMap<>();

    @AfterEach
    void close() {
        await(vertx.close());
    }

    @Test
    void run_sameKey_runsOneAfterTheOtherInOrder() {
        Future<String> first = run("first", "a");
        Future<String> second = run("second", "a");
        Future<String> third = run("third", "a");
        awaitThat(() -> begun.contains("first"));
        assertThat(begun).containsExactly("first");

        end("first");
        awaitThat(() -> begun.contains("second"));
        end("second");
        awaitThat(() -> begun.contains("third"));
        end("third");

        assertThat(await(Future.all(first, second, third)).<String>list()).containsExactly("first", "second", "third");
        assertThat(begun).containsExactly("first", "second", "third");
    }

    @Test
    void run_otherKey_doesNotWait() {
        Future<String> first = run("first", "a");
        Future<String> other = run("other", "b");

        awaitThat(() -> begun.contains("other"));
        end("other");

        assertThat(await(other)).isEqualTo("other");
        assertThat(first.isComplete()).isFalse();
    }

    /** Two callers with the same keys in another order must not wait for each other. */
    @Test
    void run_severalKeys_waitsForAllOfThemWithoutDeadlock() {
        Future<String> a = run("a", "a");
        Future<String> b = run("b", "b");
        Future<String> both = run("both", "a", "b");
        Future<String> bothAgain = run("bothAgain", "b", "a");
        awaitThat(() -> begun.size() == 2);

        end("a");
        await(a);
        assertThat(begun).containsExactlyInAnyOrder("a", "b");
        end("b");
        await(b);
        awaitThat(() -> begun.contains("both"));
        assertThat(begun).doesNotContain("bothAgain");
        end("both");
        await(both);
        awaitThat(() -> begun.contains("bothAgain"));
        end("bothAgain");

        assertThat(await(bothAgain)).isEqualTo("bothAgain");
    }

    @Test
    void run_earlierOneFails_runsAllTheSame() {
        Future<String> failed = onHome(() -> mutex.runExclusively(Set.of("a"), () -> Future.failedFuture("broken")));
        Future<String> next = run("next", "a");
        awaitThat(() -> begun.contains("next"));
        end("next");

        assertThat(await(next)).isEqualTo("next");
        assertThat(failed.failed()).isTrue();
    }

    private Future<String> run(String name, String... keys) {
        Promise<String> end = Promise.promise();
        ends.put(name, end);
        return onHome(() -> mutex.runExclusively(Set.of(keys), () -> {
            begun.add(name);
            return end.future();
        }));
    }

    private void end(String name) {
        Promise<String> end = requireNonNull(ends.get(name));
        home.runOnContext(now -> end.complete(name));
    }

    private Future<String> onHome(Supplier<Future<String>> work) {
        return Future.future(promise -> home.runOnContext(now -> work.get().onComplete(promise)));
    }
}
