package io.orestes.live;

import io.invalidb.matching.cell.LastWrite;
import io.invalidb.model.WriteEvent;
import io.invalidb.query.BudgetExceededException;
import io.invalidb.sorting.WindowSpec;
import io.orestes.invalidb.InvalidbClient;
import io.orestes.live.EventDeliveryExplanation.UnknownFact;
import io.orestes.live.EventDeliveryExplanation.Verdict;
import io.orestes.live.request.SubscriptionRequest;
import io.orestes.live.request.SubscriptionRequestParser;
import io.orestes.live.request.UnparsedLiveQuery;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.store.ObjectStore;
import io.orestes.store.StoreQuery;
import io.vertx.core.Future;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An explainer of why a subscriber received an event about an object, or received none. It uses the
 * retained events of live queries and the retained write stream of this server. Changes nothing.
 * Thread-safe.
 */
public final class LiveEventExplainer {

    private final SubscriptionRequestParser requests;
    private final LiveQueries queries;
    private final InvalidbClient matching;
    private final ObjectStore store;
    private final boolean isOneOfSeveral;

    /** @param isOneOfSeveral whether other servers may have subscribers */
    public LiveEventExplainer(
            SubscriptionRequestParser requests,
            LiveQueries queries,
            InvalidbClient matching,
            ObjectStore store,
            boolean isOneOfSeveral) {
        this.requests = requests;
        this.queries = queries;
        this.matching = matching;
        this.store = store;
        this.isOneOfSeveral = isOneOfSeveral;
    }

    /**
     * Explains the events about one object for a query of {@code principal}, who need not be
     * permitted to ask it. Fails as a subscription does.
     */
    public Future<EventDeliveryExplanation> explain(Principal principal, ObjectRef object, UnparsedLiveQuery query) {
        SubscriptionRequest request = requests.parseUnchecked(principal, object.bucket(), query);
        Optional<ObjectEventHistory> history = queries.history(request, object);
        return matching.lastWrite(object).compose(last -> findIndex(request, object)
                .map(index -> new EventDeliveryExplanation(
                        history.isPresent(),
                        history.map(ObjectEventHistory::events).orElse(List.of()),
                        last.orElse(null),
                        last.map(LastWrite::write)
                                .map(write -> verdict(request, write))
                                .orElse(null),
                        index.isPresent() ? index.getAsInt() : null,
                        findUnknownFacts(request, history.orElse(null), last.orElse(null)))));
    }

    private static Verdict verdict(SubscriptionRequest request, WriteEvent write) {
        try {
            return write.upsert()
                    .map(upsert -> new Verdict(
                            request.readable().matches(upsert.afterImage()),
                            request.filter().matches(upsert.afterImage())))
                    .orElse(new Verdict(false, false));
        } catch (BudgetExceededException costly) {
            throw new ApiException(ErrorCode.QUERY_NOT_SUPPORTED, "The query takes too long on " + write.id());
        }
    }

    /** Returns the object's index in the window that the store returns now. */
    private Future<OptionalInt> findIndex(SubscriptionRequest request, ObjectRef object) {
        WindowSpec window = request.window();
        return window == null
                ? Future.succeededFuture(OptionalInt.empty())
                : content(request, window).map(content -> findIndex(content, object));
    }

    private Future<List<StoredObject>> content(SubscriptionRequest request, WindowSpec window) {
        return store.query(new StoreQuery(
                request.bucket(), request.query().filter(), window.order(), window.offset(), window.limit()));
    }

    private static OptionalInt findIndex(List<StoredObject> content, ObjectRef object) {
        return IntStream.range(0, content.size())
                .filter(index -> content.get(index).ref().equals(object))
                .findFirst();
    }

    private Set<UnknownFact> findUnknownFacts(
            SubscriptionRequest request, @Nullable ObjectEventHistory history, @Nullable LastWrite last) {
        Set<UnknownFact> unknown = EnumSet.noneOf(UnknownFact.class);
        if (history == null) {
            unknown.add(UnknownFact.NOBODY_SUBSCRIBED);
            if (request.window() != null) {
                unknown.add(UnknownFact.PLACE_IN_THE_WINDOW);
            }
        } else if (!history.isComplete()) {
            unknown.add(UnknownFact.EARLIER_EVENTS);
        }
        if (last == null) {
            unknown.add(UnknownFact.LAST_WRITE);
        } else if (last.write() == null) {
            unknown.add(UnknownFact.WHAT_WAS_WRITTEN);
        }
        if (isOneOfSeveral) {
            unknown.add(UnknownFact.OTHER_SERVERS);
        }
        return unknown;
    }
}
