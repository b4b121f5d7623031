package io.orestes.store.embedded;

import io.invalidb.query.SortOrder;
import io.invalidb.query.SortRank;
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
    static Unordered ofUnordered(SortOrder order, long skip, int limit) {
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

        private final PriorityQueue<Ranked> kept = new PriorityQueue<>(Comparator.reverseOrder());
        private final SortOrder order;
        private final long skip;
        private final long most;

        /** Most matches are compared more than once, with what they are sorted by found once. */
        private record Ranked(SortRank rank, BsonDocument match) implements Comparable<Ranked> {

            @Override
            public int compareTo(Ranked other) {
                return rank.compareTo(other.rank);
            }
        }

        private Unordered(SortOrder order, long skip, int limit) {
            this.order = order;
            this.skip = skip;
            this.most = skip > Long.MAX_VALUE - limit ? Long.MAX_VALUE : skip + limit;
        }

        @Override
        public boolean add(BsonDocument match) {
            boolean unused = keep(match);
            return true;
        }

        /** Takes one more match and returns whether it is among the first so far. */
        boolean keep(BsonDocument match) {
            Ranked ranked = new Ranked(order.rank(match), match);
            if (isFull() && ranked.compareTo(kept.element()) > 0) {
                return false;
            }
            if (isFull()) {
                kept.remove();
            }
            return kept.add(ranked);
        }

        /** Whether as many are kept as there can be on the page and before it. */
        boolean isFull() {
            return kept.size() >= most;
        }

        @Override
        public List<BsonDocument> toList() {
            return kept.stream().sorted().skip(skip).map(Ranked::match).toList();
        }
    }
}
