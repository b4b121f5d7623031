package io.invalidb.matching;

import io.invalidb.query.BsonOrder;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Entries by interval, found by the intervals they touch: a treap (Seidel and Aragon, "Randomized Search Trees", 1996)
 * ordered by lower bounds, whose nodes know the largest upper bound below them. All operations take expected logarithmic
 * time, finding also the time for what is found. Single-threaded; priorities come from a fixed seed.
 */
final class IntervalTreap<V> {

    private final SplittableRandom priorities = new SplittableRandom(1);
    private @Nullable Node<V> root;
    private long added;

    /** Adds an entry and returns what {@link #remove} asks for. */
    Node<V> add(Interval interval, V value) {
        Node<V> node = new Node<>(interval, value, added++, priorities.nextInt());
        root = insert(root, node);
        return node;
    }

    void remove(Node<V> node) {
        root = without(root, node);
    }

    boolean isEmpty() {
        return root == null;
    }

    /** Hands out the values of all entries that begin at or before the end of {@code interval} and end at or after its beginning. */
    void forEachTouching(Interval interval, Consumer<V> action) {
        visit(root, interval, action);
    }

    private static <V> void visit(@Nullable Node<V> node, Interval interval, Consumer<V> action) {
        if (node == null || compare(node.largestUpper, interval.lower()) < 0) {
            return;
        }
        visit(node.left, interval, action);
        if (compare(node.interval.lower(), interval.upper()) <= 0) {
            if (compare(node.interval.upper(), interval.lower()) >= 0) {
                action.accept(node.value);
            }
            visit(node.right, interval, action);
        }
    }

    private static <V> Node<V> insert(@Nullable Node<V> tree, Node<V> node) {
        if (tree == null) {
            return node;
        }
        if (node.priority > tree.priority) {
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

    /** Makes what is before {@code node} its left subtree and what is after it its right one. */
    private static <V> void split(@Nullable Node<V> tree, Node<V> node) {
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

    private static <V> @Nullable Node<V> without(@Nullable Node<V> tree, Node<V> node) {
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

    private static <V> @Nullable Node<V> merge(@Nullable Node<V> before, @Nullable Node<V> after) {
        if (before == null || after == null) {
            return before == null ? after : before;
        }
        if (before.priority > after.priority) {
            before.right = merge(before.right, after);
            return before.updated();
        }
        after.left = merge(before, after.left);
        return after.updated();
    }

    private static int compare(BsonValue one, BsonValue other) {
        return BsonOrder.INSTANCE.compare(one, other);
    }

    /** One entry. */
    static final class Node<V> {
        private final Interval interval;
        private final V value;
        private final long number;
        private final int priority;
        private @Nullable Node<V> left;
        private @Nullable Node<V> right;
        private BsonValue largestUpper;

        private Node(Interval interval, V value, long number, int priority) {
            this.interval = interval;
            this.value = value;
            this.number = number;
            this.priority = priority;
            this.largestUpper = interval.upper();
        }

        private boolean isBefore(Node<V> other) {
            int byLower = compare(interval.lower(), other.interval.lower());
            return byLower != 0 ? byLower < 0 : number < other.number;
        }

        private Node<V> updated() {
            largestUpper = interval.upper();
            if (left != null) {
                largestUpper = Interval.max(largestUpper, left.largestUpper);
            }
            if (right != null) {
                largestUpper = Interval.max(largestUpper, right.largestUpper);
            }
            return this;
        }
    }
}
