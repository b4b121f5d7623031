package io.orestes.store.embedded.commit;

import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A batch of results to deliver, which wakes the context of each caller only once. The results of
 * one context keep their order.
 */
public final class CompletionBatch {

    private static final Logger LOG = LoggerFactory.getLogger(CompletionBatch.class);

    private final Map<Context, List<Runnable>> byContext = new LinkedHashMap<>();

    public <T> void add(CallerContextPromise<T> callerPromise, Future<T> outcome) {
        add(callerPromise.context(), () -> callerPromise.complete(outcome));
    }

    /** Adds another notification of a caller, on its context. */
    public void add(Context context, Runnable news) {
        byContext.computeIfAbsent(context, same -> new ArrayList<>()).add(news);
    }

    /** Delivers a single result. */
    public static <T> void send(CallerContextPromise<T> callerPromise, Future<T> outcome) {
        CompletionBatch completionBatch = new CompletionBatch();
        completionBatch.add(callerPromise, outcome);
        completionBatch.deliver();
    }

    /** Delivers all results. */
    public void deliver() {
        byContext.forEach((context, completions) -> schedule(context, completions.iterator()));
        byContext.clear();
    }

    private static void schedule(Context context, Iterator<Runnable> completions) {
        try {
            context.runOnContext(nothing -> complete(context, completions));
        } catch (RejectedExecutionException e) {
            LOG.debug("The context of a caller was closed before its result", e);
        }
    }

    /**
     * Completes the promises of one context. If a handler throws, schedules the rest, so that other
     * callers get their results.
     */
    private static void complete(Context context, Iterator<Runnable> completions) {
        try {
            completions.forEachRemaining(Runnable::run);
        } finally {
            if (completions.hasNext()) {
                schedule(context, completions);
            }
        }
    }
}
