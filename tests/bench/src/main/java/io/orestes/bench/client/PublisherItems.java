package io.orestes.bench.client;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** Collects all items of a publisher of the MongoDB driver. */
public final class PublisherItems<T> implements Subscriber<T> {

    private static final int MOST = 1_000;

    private final List<T> items = new ArrayList<>();
    private final CompletableFuture<List<T>> all = new CompletableFuture<>();

    /** Completes on a thread of the driver. */
    public static <T> CompletableFuture<List<T>> begin(Publisher<T> publisher) {
        PublisherItems<T> answers = new PublisherItems<>();
        publisher.subscribe(answers);
        return answers.all;
    }

    /** Waits for the items, also if they are not used. */
    @CanIgnoreReturnValue
    public static <T> List<T> of(Publisher<T> publisher) throws Exception {
        return begin(publisher).get(1, TimeUnit.MINUTES);
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        subscription.request(MOST);
    }

    @Override
    public void onNext(T item) {
        items.add(item);
    }

    @Override
    public void onError(Throwable failure) {
        all.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        all.complete(items);
    }
}
