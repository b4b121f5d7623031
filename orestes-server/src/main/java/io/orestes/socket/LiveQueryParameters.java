package io.orestes.socket;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.notify.LiveQueryText;
import io.orestes.wire.Parameters;
import io.vertx.ext.web.RoutingContext;
import java.util.OptionalInt;

/** A live query in the parameters of a URL. */
public final class LiveQueryParameters {

    private LiveQueryParameters() {}

    /**
     * Reads it. The values by which pull queries say that there is no start and no count ask for no order either. Fails with
     * {@code BAD_REQUEST} for numbers that are none, and with {@code QUERY_NOT_SUPPORTED} for a query of several classes.
     */
    public static LiveQueryText read(RoutingContext ctx) {
        if (Parameters.flag(ctx, "polymorphic", false)) {
            throw new ApiException(ErrorCode.QUERY_NOT_SUPPORTED, "A live query is about one class");
        }
        int start = Parameters.number(ctx, "start", 0, 0);
        int count = Parameters.number(ctx, "count", -1, -1);
        return new LiveQueryText(
                Parameters.text(ctx, "q").orElse(""),
                Parameters.text(ctx, "sort").orElse(""),
                start == 0 ? OptionalInt.empty() : OptionalInt.of(start),
                count == -1 ? OptionalInt.empty() : OptionalInt.of(count),
                Parameters.text(ctx, "aggregate").orElse(""));
    }
}
