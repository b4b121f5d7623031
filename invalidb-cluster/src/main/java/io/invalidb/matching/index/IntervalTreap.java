package io.invalidb.matching.index;

import io.invalidb.matching.selectivity.Interval;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * An index of candidates by interval, searched by touching intervals: a treap (Seidel and Aragon,
 * "Randomized Search Trees", 1996) ordered by lower bounds, whose nodes store the largest upper
 * bound below them. All operations take expected logarithmic time, plus time for each found
 * candidate. Candidates are found in the order of their bounds, whatever the shape of the tree.
 * Single-threaded.
 */
final class IntervalTreap {

    /** Random seed of the priorities, so that no choice of intervals can make the tree deep. */
    private final int seed = new SplittableRandom().nextInt();

    private @Nullable Node root;
    private int added;

    IntervalTreap() {
        this(0);
    }

    /** @param added assumed number of earlier additions */
    IntervalTreap(int added) {
        this.added = added;
    }

    CandidateRegistration add(Interval interval, IndexedFilter indexedFilter) {
        return add(interval, indexedFilter, () -> {});
    }

    /** @param after run after the candidate is removed */
    CandidateRegistration add(Interval interval, IndexedFilter indexedFilter, Runnable after) {
        if (added == -1) {
            renumber();
        }
        Node node = new Node(this, interval, indexedFilter, added++, after);
        root = insert(root, node);
        return node;
    }

    /**
     * Renumbers the nodes; numbers distinguish nodes with equal bounds. After 2^32 additions they
     * begin again.
     */
    private void renumber() {
        List<Node> nodes = inOrder();
        root = null;
        added = 0;
        for (Node node : nodes) {
            node.number = added++;
            node.left = null;
            node.right = null;
            root = insert(root, node.updated());
        }
    }

    private List<Node> inOrder() {
        List<Node> nodes = new ArrayList<>();
        Deque<Node> open = new ArrayDeque<>();
        for (Node node = root; node != null || !open.isEmpty(); node = node.right) {
            for (; node != null; node = node.left) {
                open.push(node);
            }
            node = open.pop();
            nodes.add(node);
        }
        return nodes;
    }

    boolean isEmpty() {
        return root == null;
    }

    /**
     * Passes on all candidates whose interval begins at or before the end of this one and ends at
     * or after its beginning.
     */
    void forEachOverlapping(Interval interval, Consumer<IndexedFilter> action) {
        visit(root, interval, action);
    }

    void forEach(Consumer<IndexedFilter> action) {
        inOrder().forEach(node -> action.accept(node.indexedFilter));
    }

    private static void visit(@Nullable Node tree, Interval interval, Consumer<IndexedFilter> action) {
        Node node = tree;
        while (node != null && node.reaches(interval)) {
            visit(node.left, interval, action);
            if (!node.beginsBy(interval)) {
                return;
            }
            if (node.endsFrom(interval)) {
                action.accept(node.indexedFilter);
            }
            node = node.right;
        }
    }

    private static Node insert(@Nullable Node tree, Node node) {
        if (tree == null) {
            return node;
        }
        if (node.priority() > tree.priority()) {
            split(tree, node);
            return node.updated();
        }
        if (node.isBefore(tree)) {
            tree.left = insert(tree.left, node);
        } else {
            tree.right = insert(tree.right, node);
        }
        return tree.updated();
    }

    /**
     * Splits a tree: nodes before {@code node} become its left subtree, nodes after it its right
     * one.
     */
    private static void split(@Nullable Node tree, Node node) {
        if (tree == null) {
            node.left = null;
            node.right = null;
        } else if (tree.isBefore(node)) {
            split(tree.right, node);
            tree.right = node.left;
            node.left = tree.updated();
        } else {
            split(tree.left, node);
            tree.left = node.right;
            node.right = tree.updated();
        }
    }

    private static @Nullable Node without(@Nullable Node tree, Node node) {
        if (tree == null) {
            return null;
        }
        if (tree == node) {
            return merge(tree.left, tree.right);
        }
        if (node.isBefore(tree)) {
            tree.left = without(tree.left, node);
        } else {
            tree.right = without(tree.right, node);
        }
        return tree.updated();
    }

    private static @Nullable Node merge(@Nullable Node before, @Nullable Node after) {
        if (before == null || after == null) {
            return before == null ? after : before;
        }
        if (before.priority() > after.priority()) {
            before.right = merge(before.right, after);
            return before.updated();
        }
        after.left = merge(before, after.left);
        return after.updated();
    }

    /** One entry; there may be a million of them, so every field adds memory. */
    private static final class Node implements CandidateRegistration {
        private final IntervalTreap treap;
        private final IndexedFilter indexedFilter;
        private final long from;
        private final BsonValue lower;
        private final long to;
        private final BsonValue upper;
        private final Runnable after;
        private int number;
        private long furthest;
        private BsonValue largestUpper;
        private @Nullable Node left;
        private @Nullable Node right;

        private Node(IntervalTreap treap, Interval interval, IndexedFilter indexedFilter, int number, Runnable after) {
            this.treap = treap;
            this.indexedFilter = indexedFilter;
            this.from = interval.from();
            this.lower = interval.lower();
            this.to = interval.to();
            this.upper = interval.upper();
            this.after = after;
            this.number = number;
            this.furthest = to;
            this.largestUpper = upper;
        }

        @Override
        public void remove() {
            treap.root = without(treap.root, this);
            after.run();
        }

        /**
         * Returns the priority: the number with its bits mixed (the finalizer of MurmurHash3),
         * which differs for every number.
         */
        private int priority() {
            int mixed = number + treap.seed;
            mixed = (mixed ^ (mixed >>> 16)) * 0x85ebca6b;
            mixed = (mixed ^ (mixed >>> 13)) * 0xc2b2ae35;
            return mixed ^ (mixed >>> 16);
        }

        private boolean isBefore(Node other) {
            int byLower = Interval.compare(from, lower, other.from, other.lower);
            return byLower != 0 ? byLower < 0 : Integer.compareUnsigned(number, other.number) < 0;
        }

        private boolean reaches(Interval interval) {
            return Interval.compare(furthest, largestUpper, interval.from(), interval.lower()) >= 0;
        }

        private boolean beginsBy(Interval interval) {
            return Interval.compare(from, lower, interval.to(), interval.upper()) <= 0;
        }

        private boolean endsFrom(Interval interval) {
            return Interval.compare(to, upper, interval.from(), interval.lower()) >= 0;
        }

        private Node updated() {
            furthest = to;
            largestUpper = upper;
            reachAsFarAs(left);
            reachAsFarAs(right);
            return this;
        }

        private void reachAsFarAs(@Nullable Node below) {
            if (below != null && Interval.compare(furthest, largestUpper, below.furthest, below.largestUpper) < 0) {
                furthest = below.furthest;
                largestUpper = below.largestUpper;
            }
        }
    }
}
