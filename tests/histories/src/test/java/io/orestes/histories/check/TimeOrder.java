package io.orestes.histories.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Pairs of transactions of which one was answered before the other was requested; implied pairs are
 * left out.
 */
final class TimeOrder {

    private final List<Transaction> transactions;
    private final Set<Integer> latest = new HashSet<>();
    private final Map<Integer, Set<Integer>> before = new HashMap<>();
    private final List<Pair> pairs = new ArrayList<>();

    private TimeOrder(List<Transaction> transactions) {
        this.transactions = transactions;
    }

    /** Two transactions by number. */
    record Pair(int earlier, int later) {}

    private record Moment(long at, boolean isAnswer, int transaction) {}

    static List<Pair> of(List<Transaction> transactions) {
        TimeOrder order = new TimeOrder(transactions);
        order.moments().forEach(order::pass);
        return order.pairs;
    }

    /**
     * Returns the events in time; an answer at the very moment of a request does not precede it.
     */
    private List<Moment> moments() {
        List<Moment> moments = new ArrayList<>();
        for (int i = 0; i < transactions.size(); i++) {
            Transaction transaction = transactions.get(i);
            if (transaction.isCommitted() && transaction.kind() == Transaction.Kind.TRANSACTION) {
                moments.add(new Moment(transaction.called(), false, i));
                moments.add(new Moment(transaction.answered(), true, i));
            }
        }
        moments.sort(Comparator.comparingLong(Moment::at).thenComparing(Moment::isAnswer));
        return moments;
    }

    private void pass(Moment moment) {
        int transaction = moment.transaction;
        if (moment.isAnswer) {
            latest.removeAll(before.getOrDefault(transaction, Set.of()));
            latest.add(transaction);
        } else {
            before.put(transaction, Set.copyOf(latest));
            latest.forEach(earlier -> pairs.add(new Pair(earlier, transaction)));
        }
    }
}
