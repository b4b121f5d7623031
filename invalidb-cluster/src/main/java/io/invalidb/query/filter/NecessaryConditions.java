package io.invalidb.query.filter;

import io.invalidb.query.geo.GeoBox;
import io.invalidb.query.regex.TextPattern;
import io.invalidb.query.value.BsonOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Factory methods for the necessary conditions that conditions and value predicates imply. */
final class NecessaryConditions {

    private static final NecessaryConditionVisitor<NecessaryCondition> NEEDING_FIELD = new FieldRequirement();

    private NecessaryConditions() {}

    static NecessaryCondition all(List<NecessaryCondition> parts) {
        List<NecessaryCondition> flat =
                parts.stream().flatMap(part -> part.conjuncts().stream()).toList();
        return flat.size() == 1 ? flat.get(0) : new NecessaryCondition.All(flat);
    }

    /**
     * Returns the condition of a disjunction; a branch without a condition may match every
     * document.
     */
    static NecessaryCondition any(List<NecessaryCondition> branches) {
        return branches.contains(NecessaryCondition.NONE)
                ? NecessaryCondition.NONE
                : new NecessaryCondition.Any(branches);
    }

    static NecessaryCondition prefix(String path, TextPattern pattern) {
        Optional<String> prefix = pattern.prefix();
        return prefix.isPresent() ? new PathConstraint.Prefix(path, prefix.get()) : NecessaryCondition.NONE;
    }

    static NecessaryCondition area(String path, List<GeoBox> bounds) {
        return bounds.isEmpty() ? NecessaryCondition.NONE : new PathConstraint.Area(path, bounds);
    }

    /**
     * Returns the condition, weakened for documents without the field: an element that is itself an
     * array lacks every field, but has no values at the path.
     */
    static NecessaryCondition needingField(NecessaryCondition necessaryCondition) {
        return necessaryCondition.accept(NEEDING_FIELD);
    }

    /** Weakens conditions that absent fields satisfy. */
    private static final class FieldRequirement implements NecessaryConditionVisitor.WithDefault<NecessaryCondition> {

        @Override
        public NecessaryCondition visitAll(NecessaryCondition.All all) {
            return all(all.parts().stream().map(part -> part.accept(this)).toList());
        }

        @Override
        public NecessaryCondition visitAny(NecessaryCondition.Any any) {
            return any(
                    any.branches().stream().map(branch -> branch.accept(this)).toList());
        }

        @Override
        public NecessaryCondition visitOneOf(PathConstraint.OneOf oneOf) {
            return oneOf.anyOf().contains(BsonNull.VALUE) ? NecessaryCondition.NONE : oneOf;
        }

        @Override
        public NecessaryCondition visitOther(NecessaryCondition necessaryCondition) {
            return necessaryCondition;
        }
    }

    /**
     * Returns the condition of an element that satisfies all parts, so that a lower and an upper
     * bound may be combined.
     */
    static NecessaryCondition ofElement(String path, List<NecessaryCondition> parts) {
        ElementBounds bounds = new ElementBounds();
        parts.forEach(bounds::add);
        return bounds.joined(path).map(bounds::withOthers).orElseGet(() -> all(parts));
    }

    /** The ranges among the conditions of one element, and its other conditions. */
    private static final class ElementBounds implements NecessaryConditionVisitor.WithDefault<Boolean> {

        private final List<PathConstraint.Range> ranges = new ArrayList<>();
        private final List<NecessaryCondition> others = new ArrayList<>();

        private void add(NecessaryCondition part) {
            boolean unused = part.accept(this);
        }

        @Override
        public Boolean visitRange(PathConstraint.Range range) {
            return ranges.add(range);
        }

        @Override
        public Boolean visitOther(NecessaryCondition necessaryCondition) {
            return others.add(necessaryCondition);
        }

        private NecessaryCondition withOthers(PathConstraint.Range range) {
            others.add(range);
            return all(others);
        }

        private Optional<PathConstraint.Range> joined(String path) {
            Optional<BsonValue> lower = first(PathConstraint.Range::lower);
            Optional<BsonValue> upper = first(PathConstraint.Range::upper);
            boolean isPair = ranges.size() == 2 && lower.isPresent() && upper.isPresent();
            return isPair && BsonOrder.sameBracket(lower.get(), upper.get())
                    ? Optional.of(new PathConstraint.Range(path, lower.get(), upper.get()))
                    : Optional.empty();
        }

        private Optional<BsonValue> first(Function<PathConstraint.Range, @Nullable BsonValue> bound) {
            return ranges.stream()
                    .flatMap(range -> Stream.ofNullable(bound.apply(range)))
                    .findFirst();
        }
    }
}
