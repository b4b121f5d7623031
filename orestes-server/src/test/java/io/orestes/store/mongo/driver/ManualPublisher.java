package io.orestes.store.mongo.driver;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** A publisher with one subscriber, whose signals the test controls; it enforces the demand. */
final class ManualPublisher implements Publisher<Integer>, Subscription {

    private final AtomicReference<Subscriber<? super Integer>> subscriber = new AtomicReference<>();
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicLong demand = new AtomicLong();
    private final AtomicLong largest = new AtomicLong();
    private final AtomicBoolean isCancelled = new AtomicBoolean();

    @Override
    public void subscribe(Subscriber<? super Integer> asking) {
        subscriber.set(asking);
        asking.onSubscribe(this);
    }

    @Override
    public void request(long more) {
        long open = demand.addAndGet(more);
        largest.accumulateAndGet(open, Math::max);
    }

    @Override
    public void cancel() {
        isCancelled.set(true);
    }

    /** Publishes the next numbers, from 0. */
    void publish(int count) {
        for (int i = 0; i < count; i++) {
            if (demand.decrementAndGet() < 0) {
                throw new AssertionError("No demand for " + next.get());
            }
            subscriber().onNext(next.getAndIncrement());
        }
    }

    void complete() {
        subscriber().onComplete();
    }

    void fail(Throwable failure) {
        subscriber().onError(failure);
    }

    /** Returns the number of items that it may still publish. */
    long demand() {
        return demand.get();
    }

    /** Returns the largest number of items that it was allowed to publish at any time. */
    long largestDemand() {
        return largest.get();
    }

    boolean isCancelled() {
        return isCancelled.get();
    }

    private Subscriber<? super Integer> subscriber() {
        return Objects.requireNonNull(subscriber.get());
    }
}
