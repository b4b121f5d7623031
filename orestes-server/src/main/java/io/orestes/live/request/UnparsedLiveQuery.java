package io.orestes.live.request;

import org.jspecify.annotations.Nullable;

/**
 * The unparsed parameters of a live query: filter, order, offset, limit and aggregate as the client
 * sent them. With a sort order, an offset or a limit the query is an ordered one (protocol §18.4).
 *
 * @param filter JSON text; blank for everything
 * @param sort JSON text; blank or the empty object for the order of ids
 * @param offset number of objects to skip, at least 0; null if the client sent none
 * @param limit maximum number of objects, at least 0; null if the client sent none
 * @param aggregate JSON text of a {@code $group}; blank for the objects themselves
 */
public record UnparsedLiveQuery(
        String filter, String sort, @Nullable Integer offset, @Nullable Integer limit, String aggregate) {

    boolean isOrdered() {
        return isSorted() || offset != null || limit != null;
    }

    boolean isSorted() {
        return !sort.isBlank() && !sort.strip().equals("{}");
    }

    boolean isAggregate() {
        return !aggregate.isBlank();
    }
}
