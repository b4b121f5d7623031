package io.orestes.store;

import io.invalidb.query.DocumentSortKey;
import io.invalidb.query.SortOrder;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.bson.BsonDocument;

/**
 * The bounded heap of the first {@code skip + limit} matches of a query in sort order (top-k
 * selection). The matches come in any order. Nothing else is held, or counted against the memory
 * budget. Used by one thread at a time. All methods that compare fail with what is thrown if that
 * takes too long.
 */
public final class TopKMatches {

    /** The last of them is on top. */
    private final PriorityQueue<Ranked> kept = new PriorityQueue<>(Comparator.reverseOrder());

    private final SortOrder order;
    private final long skip;
    private final long most;
    private final ResultBudget.PartialResultShare room;

    /** Most matches are compared more than once, with what they are sorted by found once. */
    private record Ranked(DocumentSortKey rank, BsonDocument match) implements Comparable<Ranked> {

        @Override
        public int compareTo(Ranked other) {
            return rank.compareTo(other.rank);
        }
    }

    /** @param room from which on nothing is held but what is kept here */
    public TopKMatches(StoreQuery query, ResultBudget.PartialResultShare room) {
        this.order = query.sort();
        this.skip = query.skip();
        this.most = skip > Long.MAX_VALUE - query.limit() ? Long.MAX_VALUE : skip + query.limit();
        this.room = room;
        room.clear();
    }

    /**
     * Takes one more match and returns whether it is among the first so far; fails as
     * {@link ResultBudget.PartialResultShare#add} does.
     */
    public boolean keep(BsonDocument match) {
        Ranked ranked = new Ranked(order.rank(match), match);
        if (isFull() && ranked.compareTo(kept.element()) > 0) {
            return false;
        }
        if (isFull()) {
            room.remove(kept.remove().match());
        }
        room.add(match);
        return kept.add(ranked);
    }

    /** Whether as many are kept as there can be on the page and before it. */
    public boolean isFull() {
        return kept.size() >= most;
    }

    /** The last of those that are kept; there has to be one. */
    public BsonDocument last() {
        return kept.element().match();
    }

    /** What the query asked for, in order. */
    public List<BsonDocument> toList() {
        return kept.stream().sorted().skip(skip).map(Ranked::match).toList();
    }
}
