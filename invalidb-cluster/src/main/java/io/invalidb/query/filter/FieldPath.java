package io.invalidb.query.filter;

import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.Excerpt;
import io.invalidb.query.QueryNotSupportedException;
import io.invalidb.query.QuerySyntaxException;
import io.invalidb.query.StepBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonRegularExpression;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A dotted path to fields of a document, e.g. {@code lines.price} or {@code lines.0.price}. As in
 * MongoDB, it leads through arrays into each of their documents, and to the element at a position;
 * an array inside an array is entered by position only. Immutable.
 */
public final class FieldPath {

    private static final int MAX_PARTS = 100;

    /**
     * Maximum number of array positions. A part like {@code 0} has two readings, so the number of
     * ways through nested arrays doubles with each.
     */
    private static final int MAX_POSITIONS = 8;

    private static final int NO_POSITION = -1;

    private static final int MAX_SHARED_LENGTH = 100;

    /**
     * Parsed paths by hash, so that the queries of a class share theirs. Threads may replace each
     * other's entries: paths do not change, and a lost one is parsed again.
     */
    private static final @Nullable FieldPath[] SHARED = new FieldPath[1024];

    private final String path;
    private final String[] parts;
    private final int[] positions;

    private FieldPath(String path, String[] parts, int[] positions) {
        this.path = path;
        this.parts = parts;
        this.positions = positions;
    }

    /**
     * Parses a path.
     *
     * @throws QuerySyntaxException if it or a part of it is empty, if it has a NUL or more than 100
     *     parts
     * @throws QueryNotSupportedException if more than 8 parts are array positions
     */
    public static FieldPath parse(String path) {
        int place = path.hashCode() & (SHARED.length - 1);
        FieldPath known = SHARED[place];
        if (known != null && known.path.equals(path)) {
            return known;
        }
        FieldPath parsed = parseAnew(path);
        if (path.length() <= MAX_SHARED_LENGTH) {
            SHARED[place] = parsed;
        }
        return parsed;
    }

    private static FieldPath parseAnew(String path) {
        requireWellFormed(path);
        String[] parts = path.split("\\.", -1);
        int[] positions = new int[parts.length];
        int count = 0;
        for (int i = 0; i < parts.length; i++) {
            positions[i] = position(parts[i]);
            count += positions[i] == NO_POSITION ? 0 : 1;
        }
        if (count > MAX_POSITIONS) {
            throw new QueryNotSupportedException("A path has at most " + MAX_POSITIONS + " array positions");
        }
        return new FieldPath(path, parts, positions);
    }

    private static void requireWellFormed(String path) {
        if (path.indexOf('\0') >= 0) {
            throw new QuerySyntaxException("A field path has no NUL character");
        }
        if (path.isEmpty() || path.startsWith(".") || path.endsWith(".") || path.contains("..")) {
            throw new QuerySyntaxException("A field path has no empty part: '" + Excerpt.of(path) + "'");
        }
        if (path.chars().filter(c -> c == '.').count() >= MAX_PARTS) {
            throw new QuerySyntaxException("A field path has at most " + MAX_PARTS + " parts");
        }
    }

    private static int position(String part) {
        boolean plain = part.length() <= 9 && part.chars().allMatch(c -> c >= '0' && c <= '9');
        return plain && (part.equals("0") || part.charAt(0) != '0') ? Integer.parseInt(part) : NO_POSITION;
    }

    /** Returns whether a part of the path can be read as a position in an array. */
    public boolean isPositional() {
        for (int position : positions) {
            if (position != NO_POSITION) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns all values that a condition on this path is tested on, and that an index on the path
     * needs. An array at the end gives its elements and then itself. An absent or undefined field
     * gives null. A stored regular expression, which {@code $regex} finds as well, also gives the
     * text that it begins with. A value may occur several times.
     *
     * @throws BudgetExceededException if too many ways lead through the document
     */
    public List<BsonValue> values(BsonDocument document) {
        List<BsonValue> found = new ArrayList<>();
        forEachValue(document, found::add);
        return found;
    }

    /** Passes on these {@link #values} one by one. */
    public void forEachValue(BsonDocument document, Consumer<BsonValue> action) {
        forEachValue(document, action, new StepBudget());
    }

    /** Passes on these values at the cost of this budget. */
    public void forEachValue(BsonDocument document, Consumer<BsonValue> action, StepBudget stepBudget) {
        boolean unused = any(
                document,
                true,
                (value, same) -> {
                    hand(value, action);
                    return false;
                },
                stepBudget);
    }

    private static void hand(@Nullable BsonValue value, Consumer<BsonValue> action) {
        if (value instanceof BsonRegularExpression) {
            PathConstraint.valuesOf(value).forEach(action);
        } else {
            action.accept(value == null || value instanceof BsonUndefined ? BsonNull.VALUE : value);
        }
    }

    /**
     * Returns whether the visitor accepts a value at the path, at the cost of the budget; it
     * receives null where the field is absent.
     *
     * @param intoArrays true if an array at the end is also tested element by element
     */
    boolean any(BsonDocument document, boolean intoArrays, Visitor visitor, StepBudget stepBudget) {
        return inDocument(document, 0, intoArrays, visitor, stepBudget);
    }

    private boolean inDocument(
            BsonDocument document, int depth, boolean intoArrays, Visitor visitor, StepBudget stepBudget) {
        BsonValue value = document.get(parts[depth]);
        if (isLast(depth)) {
            return atEnd(value, intoArrays, visitor, stepBudget);
        }
        if (value instanceof BsonDocument child) {
            return inDocument(child, depth + 1, intoArrays, visitor, stepBudget);
        }
        return value instanceof BsonArray array
                ? inArray(array, depth + 1, intoArrays, visitor, stepBudget)
                : visit(null, visitor, stepBudget);
    }

    private static boolean atEnd(
            @Nullable BsonValue value, boolean intoArrays, Visitor visitor, StepBudget stepBudget) {
        if (intoArrays && value instanceof BsonArray array) {
            for (int i = 0; i < array.size(); i++) {
                if (visit(array.get(i), visitor, stepBudget)) {
                    return true;
                }
            }
        }
        return visit(value, visitor, stepBudget);
    }

    private boolean inArray(BsonArray array, int depth, boolean intoArrays, Visitor visitor, StepBudget stepBudget) {
        stepBudget.spend(array.size());
        for (int i = 0; i < array.size(); i++) {
            BsonValue element = array.get(i);
            boolean accepted =
                    (element instanceof BsonDocument child && inDocument(child, depth, intoArrays, visitor, stepBudget))
                            || (i == positions[depth] && atPosition(element, depth, intoArrays, visitor, stepBudget));
            if (accepted) {
                return true;
            }
        }
        return false;
    }

    /**
     * Visits the element at a position. Such an array at the end of a path is not tested element by
     * element; MongoDB does the same.
     */
    private boolean atPosition(
            BsonValue element, int depth, boolean intoArrays, Visitor visitor, StepBudget stepBudget) {
        if (isLast(depth)) {
            return visit(element, visitor, stepBudget);
        }
        if (element instanceof BsonDocument child) {
            return inDocument(child, depth + 1, intoArrays, visitor, stepBudget);
        }
        return element instanceof BsonArray array && inArray(array, depth + 1, intoArrays, visitor, stepBudget);
    }

    private static boolean visit(@Nullable BsonValue value, Visitor visitor, StepBudget stepBudget) {
        stepBudget.spend(1);
        return visitor.accepts(value, stepBudget);
    }

    private boolean isLast(int depth) {
        return depth == parts.length - 1;
    }

    /** Returns the number of parts, at least one. */
    public int length() {
        return parts.length;
    }

    public String part(int depth) {
        return parts[depth];
    }

    /** Returns the position that a part stands for, negative if none. */
    public int position(int depth) {
        return positions[depth];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FieldPath that && path.equals(that.path);
    }

    @Override
    public int hashCode() {
        return path.hashCode();
    }

    @Override
    public String toString() {
        return path;
    }

    /** A test of one value. */
    interface Visitor {
        boolean accepts(@Nullable BsonValue value, StepBudget stepBudget);
    }
}
