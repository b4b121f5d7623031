package io.orestes.histories.check;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Transactions by number and their dependencies. Edges are stored in one array, grouped by their
 * start. Single-threaded.
 */
final class Graph {

    private final int nodes;
    private final List<Edge> added = new ArrayList<>();
    private int[] firstEdge = {};
    private Edge[] edges = {};

    /** @param nodes number of nodes; the first is 0 */
    Graph(int nodes) {
        this.nodes = nodes;
    }

    /**
     * One dependency.
     *
     * @param about the object and the position in its order; empty text if none
     */
    record Edge(int from, int to, Dependency kind, String about) {}

    /** Adds an edge, but none of a transaction to itself. */
    void add(int from, int to, Dependency kind, String about) {
        if (from != to) {
            added.add(new Edge(from, to, kind, about));
        }
    }

    /** Sorts the edges; to be called between additions and searches. */
    void freeze() {
        firstEdge = new int[nodes + 1];
        added.forEach(edge -> firstEdge[edge.from + 1]++);
        Arrays.parallelPrefix(firstEdge, Integer::sum);
        int[] next = firstEdge.clone();
        edges = new Edge[added.size()];
        added.forEach(edge -> edges[next[edge.from]++] = edge);
    }

    List<Edge> edges() {
        return Collections.unmodifiableList(added);
    }

    /**
     * Returns the strongly connected components of more than one node, by edges of these kinds
     * (Tarjan 1972, without recursion).
     */
    List<Set<Integer>> components(Set<Dependency> kinds) {
        return new Components(kinds).find();
    }

    /** Returns a shortest path, by edges of these kinds between these nodes. */
    Optional<List<Edge>> way(int from, int to, Set<Dependency> kinds, Set<Integer> among) {
        Edge[] cameBy = new Edge[nodes];
        ArrayDeque<Integer> reached = new ArrayDeque<>(List.of(from));
        while (!reached.isEmpty()) {
            int node = reached.remove();
            for (int i = firstEdge[node]; i < firstEdge[node + 1]; i++) {
                Edge edge = edges[i];
                if (kinds.contains(edge.kind) && cameBy[edge.to] == null && among.contains(edge.to)) {
                    cameBy[edge.to] = edge;
                    if (edge.to == to) {
                        return Optional.of(back(cameBy, from, to));
                    }
                    reached.add(edge.to);
                }
            }
        }
        return Optional.empty();
    }

    private static List<Edge> back(Edge[] cameBy, int from, int to) {
        List<Edge> way = new ArrayList<>();
        int node = to;
        do {
            way.add(cameBy[node]);
            node = cameBy[node].from;
        } while (node != from);
        Collections.reverse(way);
        return way;
    }

    /** One search. */
    private final class Components {

        private final Set<Dependency> kinds;
        private final int[] index = new int[nodes];
        private final int[] low = new int[nodes];
        private final int[] nextEdge = new int[nodes];
        private final boolean[] isOpen = new boolean[nodes];
        private final ArrayDeque<Integer> open = new ArrayDeque<>();
        private final ArrayDeque<Integer> path = new ArrayDeque<>();
        private final List<Set<Integer>> found = new ArrayList<>();
        private int visited;

        private Components(Set<Dependency> kinds) {
            this.kinds = kinds;
        }

        private List<Set<Integer>> find() {
            for (int node = 0; node < nodes; node++) {
                if (index[node] == 0) {
                    visitFrom(node);
                }
            }
            return found;
        }

        private void visitFrom(int root) {
            enter(root);
            while (!path.isEmpty()) {
                int node = path.getLast();
                if (nextEdge[node] < firstEdge[node + 1]) {
                    follow(node, edges[nextEdge[node]++]);
                } else {
                    leave(node);
                }
            }
        }

        private void enter(int node) {
            index[node] = ++visited;
            low[node] = visited;
            nextEdge[node] = firstEdge[node];
            isOpen[node] = true;
            open.add(node);
            path.add(node);
        }

        private void follow(int node, Edge edge) {
            if (!kinds.contains(edge.kind)) {
                return;
            }
            if (index[edge.to] == 0) {
                enter(edge.to);
            } else if (isOpen[edge.to]) {
                low[node] = Math.min(low[node], index[edge.to]);
            }
        }

        private void leave(int node) {
            path.removeLast();
            if (!path.isEmpty()) {
                low[path.getLast()] = Math.min(low[path.getLast()], low[node]);
            }
            if (low[node] == index[node]) {
                close(node);
            }
        }

        private void close(int root) {
            List<Integer> members = new ArrayList<>();
            int node;
            do {
                node = open.removeLast();
                isOpen[node] = false;
                members.add(node);
            } while (node != root);
            if (members.size() > 1) {
                found.add(Set.copyOf(members));
            }
        }
    }
}
