package io.orestes.histories.check;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds what no serial order of transactions explains. The reads reveal the order of each object's
 * states, hence which transaction precedes which; a cycle proves that there is no order. Sound for
 * any history: what it finds is wrong.
 */
public final class Checker {

    private static final Set<Dependency> WRITES = EnumSet.of(Dependency.WRITE_WRITE);
    private static final Set<Dependency> INFORMATION = EnumSet.of(Dependency.WRITE_WRITE, Dependency.WRITE_READ);
    private static final Set<Dependency> WITHOUT_TIME = EnumSet.complementOf(EnumSet.of(Dependency.TIME));
    private static final Set<Dependency> ALL = EnumSet.allOf(Dependency.class);

    private final List<Transaction> transactions;
    private final Graph graph;
    private final List<Anomaly> anomalies;

    private Checker(Observations observations) {
        this.transactions = observations.transactions();
        this.anomalies = new ArrayList<>(observations.anomalies());
        this.graph = new Graph(transactions.size());
        observations.orders().values().forEach(this::addOrder);
        observations.reads().forEach(read -> addRead(read, observations.orders()));
        TimeOrder.of(transactions).forEach(pair -> graph.add(pair.earlier(), pair.later(), Dependency.TIME, ""));
        graph.freeze();
    }

    /**
     * Returns all anomalies of a history, the worst first; of entangled cycles only a shortest one
     * of each kind.
     */
    public static List<Anomaly> check(List<Transaction> history) {
        Checker checker = new Checker(Observations.of(history));
        checker.findCycles();
        checker.anomalies.sort((one, other) -> one.kind().compareTo(other.kind()));
        return checker.anomalies;
    }

    private void addOrder(Order order) {
        int before = Order.NOBODY;
        for (int state = 1; state <= order.last(); state++) {
            int writer = order.writer(state);
            if (isCommitted(writer)) {
                if (before != Order.NOBODY) {
                    graph.add(before, writer, Dependency.WRITE_WRITE, order.key() + " at " + state);
                }
                before = writer;
            }
        }
    }

    private void addRead(Observations.ObservedRead read, Map<String, Order> orders) {
        Order order = orders.get(read.key());
        if (order == null) {
            return;
        }
        int writer = order.writer(read.state());
        if (isCommitted(writer)) {
            graph.add(writer, read.reader(), Dependency.WRITE_READ, read.key() + " at " + read.state());
        }
        int next = order.nextAfter(read.state(), read.reader());
        if (next > 0 && isCommitted(order.writer(next))) {
            graph.add(read.reader(), order.writer(next), Dependency.READ_WRITE, read.key() + " at " + next);
        }
    }

    private boolean isCommitted(int transaction) {
        return transaction != Order.NOBODY && transactions.get(transaction).isCommitted();
    }

    private void findCycles() {
        Set<Integer> known = new HashSet<>();
        for (Set<Dependency> kinds : List.of(WRITES, INFORMATION, WITHOUT_TIME, ALL)) {
            for (Set<Integer> component : graph.components(kinds)) {
                if (component.stream().noneMatch(known::contains)) {
                    report(simplest(component, kinds));
                    known.addAll(component);
                }
            }
        }
    }

    /**
     * Searches for cycles with one anti-dependency first, as they are more specific than those with
     * several.
     */
    private List<Graph.Edge> simplest(Set<Integer> component, Set<Dependency> kinds) {
        Set<Dependency> rest = EnumSet.copyOf(kinds);
        rest.remove(Dependency.READ_WRITE);
        return shortest(component, kinds, rest)
                .or(() -> shortest(component, kinds, kinds))
                .orElseThrow();
    }

    /** A shortest cycle of an edge of some kind and a way back by others. */
    private Optional<List<Graph.Edge>> shortest(Set<Integer> component, Set<Dependency> first, Set<Dependency> back) {
        List<Graph.Edge> best = List.of();
        for (Graph.Edge edge : graph.edges()) {
            if (first.contains(edge.kind()) && component.contains(edge.from()) && component.contains(edge.to())) {
                Optional<List<Graph.Edge>> way = graph.way(edge.to(), edge.from(), back, component);
                if (way.isPresent() && (best.isEmpty() || way.get().size() + 1 < best.size())) {
                    best = new ArrayList<>(List.of(edge));
                    best.addAll(way.get());
                }
            }
        }
        return Optional.of(best).filter(cycle -> !cycle.isEmpty());
    }

    private void report(List<Graph.Edge> cycle) {
        StringBuilder text = new StringBuilder();
        for (Graph.Edge edge : cycle) {
            text.append("\n  ").append(transactions.get(edge.from()));
            text.append("\n    ").append(edge.kind().verb());
            text.append(edge.about().isEmpty() ? "" : ", in " + edge.about());
        }
        text.append("\n  ").append(transactions.get(cycle.get(0).from()).name());
        anomalies.add(new Anomaly(kindOf(cycle), text.toString()));
    }

    private static Anomaly.Kind kindOf(List<Graph.Edge> cycle) {
        Set<Dependency> kinds = EnumSet.noneOf(Dependency.class);
        cycle.forEach(edge -> kinds.add(edge.kind()));
        long blind = cycle.stream()
                .filter(edge -> edge.kind() == Dependency.READ_WRITE)
                .count();
        if (kinds.contains(Dependency.TIME)) {
            return Anomaly.Kind.TIME_CYCLE;
        }
        if (blind > 1) {
            return Anomaly.Kind.ANTI_DEPENDENCY_CYCLE;
        }
        if (blind == 1) {
            return isLostUpdate(cycle) ? Anomaly.Kind.LOST_UPDATE : Anomaly.Kind.SINGLE_ANTI_DEPENDENCY;
        }
        return kinds.contains(Dependency.WRITE_READ) ? Anomaly.Kind.INFORMATION_CYCLE : Anomaly.Kind.WRITE_CYCLE;
    }

    private static boolean isLostUpdate(List<Graph.Edge> cycle) {
        return cycle.size() == 2
                && cycle.stream().anyMatch(edge -> edge.kind() == Dependency.WRITE_WRITE)
                && cycle.stream()
                                .map(edge -> edge.about().replaceAll(" at .*", ""))
                                .distinct()
                                .count()
                        == 1;
    }
}
