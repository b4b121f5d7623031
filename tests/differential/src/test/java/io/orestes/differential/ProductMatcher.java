package io.orestes.differential;

import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.query.QueryNotSupportedException;
import io.invalidb.query.QuerySyntaxException;
import io.invalidb.query.filter.Filter;
import io.invalidb.query.sort.SortOrder;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Answers queries by the product's predicate and comparator, by way of the normal form. */
final class ProductMatcher {

    private ProductMatcher() {}

    /** Returns the filter in the form that caches and other nodes use. */
    private static Filter normal(Filter filter) {
        Filter normal = Filter.parse(filter.normalForm());
        assertThat(normal).as("normal form").isEqualTo(filter).hasSameHashCodeAs(filter);
        return normal;
    }

    static Answer ask(Query query, List<BsonDocument> documents) {
        try {
            Filter filter = normal(Filter.parse(query.filter()));
            SortOrder given = SortOrder.parse(query.sort());
            SortOrder order = query.sort().isEmpty() ? SortOrder.nearest(filter).orElse(given) : given;
            List<BsonValue> ids = documents.stream()
                    .filter(filter::matches)
                    .sorted(order)
                    .map(document -> document.get("_id"))
                    .toList();
            return new Answer.Ids(ids);
        } catch (QuerySyntaxException e) {
            return new Answer.Refused(String.valueOf(e.getMessage()));
        } catch (QueryNotSupportedException e) {
            return new Answer.Unsupported(String.valueOf(e.getMessage()));
        }
    }
}
