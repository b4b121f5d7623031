package io.orestes.store.embedded;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.bson.BsonDocument;

/** Collects a query's matches and keeps those that can still be on the page the query asks for. */
sealed interface Page {

    /** Takes one more match and returns whether further ones can make a difference. */
    boolean add(BsonDocument match);

    /** What the query asked for, in order. */
    List<BsonDocument> toList();

    /** A page of matches that arrive in order. */
    static Page ofOrdered(long skip, int limit) {
        return new Ordered(skip, limit);
    }

    /** A page of matches that arrive in any order. */
    static Page ofUnordered(Comparator<BsonDocument> order, long skip, int limit) {
        return new Unordered(order, skip, limit);
    }

    /** Counts down to the page and then fills it. */
    final class Ordered implements Page {

        private final List<BsonDocument> page = new ArrayList<>();
        private final int limit;
        private long toSkip;

        private Ordered(long skip, int limit) {
            this.toSkip = skip;
            this.limit = limit;
        }

        @Override
        public boolean add(BsonDocument match) {
            if (toSkip > 0) {
                toSkip--;
            } else {
                page.add(match);
            }
            return page.size() < limit;
        }

        @Override
        public List<BsonDocument> toList() {
            return page;
        }
    }

    /** Keeps the first {@code skip + limit} of the matches seen so far, the last of them on top of a heap. */
    final class Unordered implements Page {

        private final PriorityQueue<BsonDocument> kept;
        private final Comparator<BsonDocument> order;
        private final long skip;
        private final long most;

        private Unordered(Comparator<BsonDocument> order, long skip, int limit) {
            this.order = order;
            this.kept = new PriorityQueue<>(order.reversed());
            this.skip = skip;
            this.most = skip > Long.MAX_VALUE - limit ? Long.MAX_VALUE : skip + limit;
        }

        @Override
        public boolean add(BsonDocument match) {
            if (kept.size() < most) {
                kept.add(match);
            } else if (order.compare(match, kept.element()) < 0) {
                kept.remove();
                kept.add(match);
            }
            return true;
        }

        @Override
        public List<BsonDocument> toList() {
            return kept.stream().sorted(order).skip(skip).toList();
        }
    }
}
