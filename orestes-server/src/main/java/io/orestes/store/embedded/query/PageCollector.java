package io.orestes.store.embedded.query;

import io.orestes.store.ResultBudget;
import io.orestes.store.StoreQuery;
import io.orestes.store.TopKMatches;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;

/**
 * A collector of the matches that belong to the requested page of a query. It retains the matches
 * that can still be on this page.
 */
sealed interface PageCollector {

    /** Adds a match; returns true if further ones can change the page. */
    boolean add(BsonDocument match);

    /** Returns the requested page, in order. */
    List<BsonDocument> toList();

    /** Creates a collector for matches that arrive in order. */
    static PageCollector ofOrdered(StoreQuery query, ResultBudget.PartialResultShare room) {
        return new OrderedPageCollector(query.skip(), query.limit(), room);
    }

    /** Creates a collector for matches that arrive in any order. */
    static UnorderedPageCollector ofUnordered(StoreQuery query, ResultBudget.PartialResultShare room) {
        return new UnorderedPageCollector(new TopKMatches(query, room));
    }

    /**
     * A page collector for matches that arrive in the order of the page. It skips the matches
     * before the page and retains none of them.
     */
    final class OrderedPageCollector implements PageCollector {

        private final List<BsonDocument> page = new ArrayList<>();
        private final int limit;
        private final ResultBudget.PartialResultShare room;
        private long toSkip;

        private OrderedPageCollector(long skip, int limit, ResultBudget.PartialResultShare room) {
            this.toSkip = skip;
            this.limit = limit;
            this.room = room;
            room.clear();
        }

        @Override
        public boolean add(BsonDocument match) {
            if (toSkip > 0) {
                toSkip--;
            } else {
                room.add(match);
                page.add(match);
            }
            return page.size() < limit;
        }

        @Override
        public List<BsonDocument> toList() {
            return page;
        }
    }

    /** A page collector for matches that arrive in any order, which retains the first of them. */
    final class UnorderedPageCollector implements PageCollector {

        private final TopKMatches first;

        private UnorderedPageCollector(TopKMatches first) {
            this.first = first;
        }

        @Override
        public boolean add(BsonDocument match) {
            boolean unused = first.offer(match);
            return true;
        }

        /** Adds a match; returns true if it is among the first so far. */
        boolean offer(BsonDocument match) {
            return first.offer(match);
        }

        /**
         * True if as many matches are retained as the page and the skipped part before it can have.
         */
        boolean isFull() {
            return first.isFull();
        }

        @Override
        public List<BsonDocument> toList() {
            return first.toList();
        }
    }
}
