package io.invalidb.query;

import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;

/** The place that a filter wants the nearest documents of, and the path their own places are at. */
record Nearness(FieldPath path, NearTest test) {

    /**
     * The one that a condition asks for.
     *
     * @throws QuerySyntaxException if there are several, or one that not every result has to fulfil, or a search beside it
     */
    static Optional<Nearness> of(Condition condition) {
        List<Nearness> required = required(condition);
        if (required.size() > 1 || count(condition) > required.size()) {
            throw new QuerySyntaxException("$near stands once in a query, and not below $or, $nor, $not or $elemMatch");
        }
        if (!required.isEmpty() && TextSearch.isIn(condition)) {
            throw new QuerySyntaxException("$near and $text do not stand in one query");
        }
        return required.stream().findFirst();
    }

    /** The same condition with another largest distance. */
    static Condition within(Condition condition, double most) {
        if (condition instanceof Condition.And and) {
            return Conditions.and(
                    and.parts().stream().map(part -> within(part, most)).toList());
        }
        return condition instanceof Condition.OnPath onPath && onPath.condition() instanceof NearTest near
                ? new Condition.OnPath(onPath.path(), near.within(most))
                : condition;
    }

    private static List<Nearness> required(Condition condition) {
        if (condition instanceof Condition.And and) {
            return and.parts().stream().flatMap(part -> required(part).stream()).toList();
        }
        return condition instanceof Condition.OnPath onPath && onPath.condition() instanceof NearTest near
                ? List.of(new Nearness(onPath.path(), near))
                : List.of();
    }

    private static int count(Condition condition) {
        if (condition instanceof Condition.And and) {
            return and.parts().stream().mapToInt(Nearness::count).sum();
        }
        if (condition instanceof Condition.Or or) {
            return or.parts().stream().mapToInt(Nearness::count).sum();
        }
        return condition instanceof Condition.OnPath onPath ? count(onPath.condition()) : 0;
    }

    private static int count(ValueTest test) {
        if (test instanceof NearTest) {
            return 1;
        }
        if (test instanceof ValueTest.Not not) {
            return not.tests().stream().mapToInt(Nearness::count).sum();
        }
        if (test instanceof ValueTest.ElementPassing passing) {
            return passing.tests().stream().mapToInt(Nearness::count).sum();
        }
        if (test instanceof ValueTest.All all) {
            return all.tests().stream().mapToInt(Nearness::count).sum();
        }
        return test instanceof ValueTest.ElementMatching matching ? count(matching.condition()) : 0;
    }

    double distance(BsonDocument document, Budget budget) {
        return test.distance(document, path, budget);
    }

    BsonDocument toBson() {
        return new BsonDocument(path.toString(), NormalForm.ofTests(List.of(test)));
    }
}
