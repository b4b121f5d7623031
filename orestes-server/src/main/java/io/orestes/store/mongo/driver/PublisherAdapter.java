package io.orestes.store.mongo.driver;

import io.orestes.model.ApiException;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * The adapter from the driver's reactive publishers to Vert.x futures, with paging and time-outs.
 * It is the only place that converts publishers. All futures complete on one context, that of the
 * store. If a publisher is silent for too long, its future fails, since an ill-formed response can
 * leave the driver without an end.
 */
public final class PublisherAdapter {

    private final Vertx vertx;
    private final Context home;
    private final Duration idleTimeout;

    /** @param idleTimeout maximum time between two signals of a publisher */
    public PublisherAdapter(Vertx vertx, Context home, Duration idleTimeout) {
        this.vertx = vertx;
        this.home = home;
        this.idleTimeout = idleTimeout;
    }

    /** Returns the publisher's first item; empty if it completes without one. */
    public <T> Future<Optional<T>> first(Publisher<T> publisher) {
        return first(publisher, idleTimeout);
    }

    /** Returns the first item within another time, for slow work such as filling an index. */
    public <T> Future<Optional<T>> first(Publisher<T> publisher, Duration timeout) {
        List<T> found = new ArrayList<>(1);
        PagingSubscriber<T> reading = new PagingSubscriber<>(PageLimits.byCount(1), timeout, (page, bytes) -> {
            found.addAll(page);
            return Future.succeededFuture(false);
        });
        return reading.subscribeTo(publisher).map(read -> found.stream().findFirst());
    }

    /** Returns all items of a publisher. */
    public <T> Future<List<T>> all(Publisher<T> publisher, int pageSize) {
        List<T> found = new ArrayList<>();
        return each(publisher, pageSize, page -> {
                    found.addAll(page);
                    return Future.succeededFuture(true);
                })
                .map(read -> found);
    }

    /**
     * Passes all items to the handler, page by page and in order. The next items are requested when
     * the handler has completed. Memory therefore contains one page and the items that the driver
     * has fetched.
     *
     * @param pageHandler returns true if more are wanted; pages are not empty
     */
    public <T> Future<Void> each(Publisher<T> publisher, int pageSize, Function<List<T>, Future<Boolean>> pageHandler) {
        return each(publisher, PageLimits.byCount(pageSize), (page, bytes) -> pageHandler.apply(page));
    }

    /** Passes all items to the handler, in pages of other limits. */
    public <T> Future<Void> each(Publisher<T> publisher, PageLimits<? super T> pageLimits, PageHandler<T> pageHandler) {
        return new PagingSubscriber<>(pageLimits, idleTimeout, pageHandler).subscribeTo(publisher);
    }

    /** A handler of one page of items that decides whether further pages are wanted. */
    public interface PageHandler<T> {

        /**
         * Handles a page.
         *
         * @param items not empty
         * @param bytes bytes of the items together
         * @return whether more are wanted
         */
        Future<Boolean> handle(List<T> items, long bytes);
    }

    /**
     * The limits of a page in items and bytes, and the number of items requested at a time. A page
     * is full at so many items, or earlier at so many bytes. Its last item may exceed these bytes.
     *
     * @param requestSize number of items requested at a time: all of a page, or one if the size of
     *     each decides whether another may come
     */
    public record PageLimits<T>(int items, long bytes, int requestSize, ToLongFunction<T> size) {

        static PageLimits<Object> byCount(int items) {
            return new PageLimits<>(items, Long.MAX_VALUE, items, item -> 0);
        }

        public static <T> PageLimits<T> bySize(int items, long bytes, ToLongFunction<T> size) {
            return new PageLimits<>(items, bytes, 1, size);
        }
    }

    /**
     * One subscription. Signals come on threads of the driver, one at a time; all other code runs
     * on the store's context.
     */
    private final class PagingSubscriber<T> implements Subscriber<T> {

        private final PageLimits<? super T> pageLimits;
        private final Duration timeout;
        private final PageHandler<T> pageHandler;
        private final Promise<Void> end = Promise.promise();
        /** Accessed by the driver's threads only. */
        private List<T> page = new ArrayList<>();

        private long bytes;
        private Future<Boolean> handled = Future.succeededFuture(true);
        private @Nullable Subscription subscription;
        private long timer;

        private PagingSubscriber(PageLimits<? super T> pageLimits, Duration timeout, PageHandler<T> pageHandler) {
            this.pageLimits = pageLimits;
            this.timeout = timeout;
            this.pageHandler = pageHandler;
        }

        private Future<Void> subscribeTo(Publisher<T> publisher) {
            startTimer();
            publisher.subscribe(this);
            return end.future();
        }

        @Override
        public void onSubscribe(Subscription newSubscription) {
            atHome(() -> {
                subscription = newSubscription;
                demand();
            });
        }

        @Override
        public void onNext(T item) {
            page.add(item);
            bytes += pageLimits.size().applyAsLong(item);
            if (page.size() >= pageLimits.items() || bytes >= pageLimits.bytes()) {
                List<T> full = page;
                long size = bytes;
                page = new ArrayList<>();
                bytes = 0;
                atHome(() -> handlePage(full, size));
            } else if (page.size() % pageLimits.requestSize() == 0) {
                Objects.requireNonNull(subscription).request(pageLimits.requestSize());
            }
        }

        @Override
        public void onError(Throwable failure) {
            atHome(() -> finish(Future.failedFuture(failure)));
        }

        @Override
        public void onComplete() {
            List<T> rest = page;
            long size = bytes;
            // the last full page may still be in progress
            atHome(() -> handled.onSuccess(wantsMore -> atHome(() -> handleLastPage(rest, size))));
        }

        private void handlePage(List<T> full, long size) {
            stopTimer();
            handled = Future.succeededFuture(full).compose(page -> pageHandler.handle(page, size));
            handled.onFailure(failure -> atHome(() -> finish(Future.failedFuture(failure))))
                    .onSuccess(wantsMore -> atHome(() -> requestOrFinish(wantsMore)));
        }

        private void requestOrFinish(boolean wantsMore) {
            if (wantsMore) {
                startTimer();
                demand();
            } else {
                finish(Future.succeededFuture());
            }
        }

        private void handleLastPage(List<T> rest, long size) {
            if (rest.isEmpty() || end.future().isComplete()) {
                finish(Future.succeededFuture());
                return;
            }
            stopTimer();
            Future.succeededFuture(rest)
                    .compose(page -> pageHandler.handle(page, size))
                    .<Void>mapEmpty()
                    .onComplete(done -> atHome(() -> finish(done)));
        }

        private void demand() {
            if (subscription != null && end.future().isComplete()) {
                subscription.cancel();
            } else if (subscription != null) {
                subscription.request(pageLimits.requestSize());
            }
        }

        private void startTimer() {
            timer = vertx.setTimer(timeout.toMillis(), late -> atHome(() -> finish(Future.failedFuture(noAnswer()))));
        }

        private void stopTimer() {
            boolean unused = vertx.cancelTimer(timer);
        }

        private void finish(AsyncResult<Void> outcome) {
            stopTimer();
            boolean isFirst = outcome.succeeded() ? end.tryComplete() : end.tryFail(outcome.cause());
            if (isFirst && subscription != null) {
                subscription.cancel();
            }
        }

        private void atHome(Runnable work) {
            home.runOnContext(now -> work.run());
        }
    }

    private static ApiException noAnswer() {
        return MongoErrors.unavailable("MongoDB does not answer");
    }
}
