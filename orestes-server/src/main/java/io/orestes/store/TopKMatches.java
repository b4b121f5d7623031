package io.orestes.store;

import io.invalidb.query.sort.DocumentSortKey;
import io.invalidb.query.sort.SortOrder;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.bson.BsonDocument;

/**
 * The bounded heap of the first {@code skip + limit} matches of a query in sort order (top-k
 * selection). The matches come in any order. Only these matches are retained and counted against
 * the memory budget. Used by one thread at a time. All methods that compare fail with the exception
 * of a comparison that takes too long.
 */
public final class TopKMatches {

    /** The retained matches, with the last in sort order on top. */
    private final PriorityQueue<RankedMatch> matches = new PriorityQueue<>(Comparator.reverseOrder());

    private final SortOrder order;
    private final long skip;
    private final long capacity;
    private final ResultBudget.PartialResultShare share;

    /**
     * A match with its sort key, which is extracted once because most matches are compared
     * repeatedly.
     */
    private record RankedMatch(DocumentSortKey rank, BsonDocument match) implements Comparable<RankedMatch> {

        @Override
        public int compareTo(RankedMatch other) {
            return rank.compareTo(other.rank);
        }
    }

    /** @param room share that from now on counts only the matches that are retained here */
    public TopKMatches(StoreQuery query, ResultBudget.PartialResultShare room) {
        this.order = query.sort();
        this.skip = query.skip();
        this.capacity = skip > Long.MAX_VALUE - query.limit() ? Long.MAX_VALUE : skip + query.limit();
        this.share = room;
        room.clear();
    }

    /**
     * Adds a match and returns true if it is among the first so far; fails as {@link
     * ResultBudget.PartialResultShare#add} does.
     */
    public boolean offer(BsonDocument match) {
        RankedMatch ranked = new RankedMatch(order.sortKey(match), match);
        if (isFull() && ranked.compareTo(matches.element()) > 0) {
            return false;
        }
        if (isFull()) {
            share.remove(matches.remove().match());
        }
        share.add(match);
        return matches.add(ranked);
    }

    /** True if as many matches are retained as the page and the skipped part before it can have. */
    public boolean isFull() {
        return matches.size() >= capacity;
    }

    /** Returns the last of the retained matches; there has to be one. */
    public BsonDocument last() {
        return matches.element().match();
    }

    /** Returns the page that the query asked for, in order. */
    public List<BsonDocument> toList() {
        return matches.stream().sorted().skip(skip).map(RankedMatch::match).toList();
    }
}
