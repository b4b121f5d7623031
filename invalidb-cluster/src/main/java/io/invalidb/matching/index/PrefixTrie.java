package io.invalidb.matching.index;

import io.invalidb.query.filter.PathConstraint;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An index of candidates by prefix, searched by texts that begin with it: a trie in which a chain
 * without branches is one edge (Morrison, "PATRICIA", 1968). A search takes one step for each
 * character that the text shares with prefixes. Single-threaded.
 */
final class PrefixTrie {

    private final Node root = new Node(null, "");

    /** @param further another constraint that a document has to satisfy to find the candidate */
    CandidateRegistration add(String prefix, IndexedFilter indexedFilter, @Nullable PathConstraint further) {
        Node node = root;
        int at = 0;
        while (at < prefix.length()) {
            node = node.step(prefix, at);
            at += node.edge.length();
        }
        return node.add(indexedFilter, further);
    }

    /** Passes on the candidates whose prefix the text begins with, all of one prefix together. */
    void findPrefixesOf(String text, Consumer<CandidateBag> action) {
        int at = 0;
        Node node = root;
        while (node != null && text.startsWith(node.edge, at)) {
            action.accept(node);
            at += node.edge.length();
            node = at < text.length() ? node.children.get(text.charAt(at)) : null;
        }
    }

    /** Passes on all candidates. */
    void forEach(Consumer<IndexedFilter> action) {
        root.forEachBelow(action);
    }

    boolean isEmpty() {
        return root.isEmpty() && root.children.isEmpty();
    }

    /** A node, at which a prefix ends or two prefixes diverge. */
    private static final class Node extends CandidateBag {
        private @Nullable Node parent;
        private String edge;
        private Map<Character, Node> children = Map.of();

        private Node(@Nullable Node parent, String edge) {
            this.parent = parent;
            this.edge = edge;
        }

        /**
         * Returns the next node along the prefix, whose edge is part of it; creates it if there is
         * none.
         */
        private Node step(String prefix, int at) {
            Node child = children.get(prefix.charAt(at));
            if (child == null) {
                return put(new Node(this, prefix.substring(at)));
            }
            int common = common(child.edge, prefix, at);
            return common == child.edge.length() ? child : divided(child, common);
        }

        private static int common(String edge, String prefix, int at) {
            int most = Math.min(edge.length(), prefix.length() - at);
            int common = 1;
            while (common < most && edge.charAt(common) == prefix.charAt(at + common)) {
                common++;
            }
            return common;
        }

        private Node put(Node child) {
            if (children.isEmpty()) {
                children = new TreeMap<>();
            }
            children.put(child.edge.charAt(0), child);
            return child;
        }

        private Node divided(Node child, int length) {
            Node between = put(new Node(this, child.edge.substring(0, length)));
            child.edge = child.edge.substring(length);
            child.parent = between;
            Node unused = between.put(child);
            return between;
        }

        @Override
        void onEmpty() {
            if (parent != null && children.isEmpty()) {
                parent.drop(edge.charAt(0));
            } else if (parent != null && children.size() == 1) {
                joinOnlyChild(parent);
            }
        }

        private void drop(char first) {
            children.remove(first);
            if (children.isEmpty()) {
                children = Map.of();
            }
            if (isEmpty()) {
                onEmpty();
            }
        }

        private void joinOnlyChild(Node above) {
            Node only = children.values().iterator().next();
            only.edge = edge + only.edge;
            only.parent = above;
            Node unused = above.put(only);
        }

        private void forEachBelow(Consumer<IndexedFilter> action) {
            forEach(action);
            children.values().forEach(child -> child.forEachBelow(action));
        }
    }
}
