package io.orestes.socket;

import io.orestes.auth.token.Caller;
import io.orestes.live.event.EventSelection;
import io.orestes.live.request.SubscriptionOptions;
import io.orestes.live.request.SubscriptionRequest;
import io.orestes.live.request.SubscriptionRequestParser;
import io.orestes.live.request.UnparsedLiveQuery;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** A {@code subscribe} message of a WebSocket client, parsed to a live request (protocol §18.2). */
final class SubscribeMessage {

    private final BsonDocument message;

    SubscribeMessage(BsonDocument message) {
        this.message = message;
    }

    /**
     * Returns the token as an {@code Authorization} header would carry it; fails with {@code
     * BAD_REQUEST} if it is no text.
     */
    Optional<String> authorization() {
        return text("token").map(token -> "BAT " + token);
    }

    /**
     * Returns the request. Fails as {@link SubscriptionRequestParser#parse} does, and with {@code
     * BAD_REQUEST} on a member of a wrong type.
     */
    SubscriptionRequest request(Caller caller, SubscriptionRequestParser requests) {
        return requests.parse(
                caller,
                text("bucket").orElse(""),
                new UnparsedLiveQuery(
                        text("query").orElse(""),
                        text("sort").orElse(""),
                        number("offset").orElse(null),
                        number("limit").orElse(null),
                        text("aggregate").orElse("")),
                new SubscriptionOptions(
                        flag("initial"), EventSelection.of(words("matchTypes"), words("operations")), null));
    }

    /**
     * Returns a text member. A member of another type must not count as absent: no query means
     * every object.
     */
    private Optional<String> text(String member) {
        BsonValue value = message.get(member);
        if (value == null || value.isNull()) {
            return Optional.empty();
        }
        if (!value.isString()) {
            throw new ApiException(ErrorCode.BAD_REQUEST, member + " has to be a text");
        }
        return Optional.of(value.asString().getValue());
    }

    private Optional<Integer> number(String member) {
        BsonValue value = message.get(member);
        if (value == null || value.isNull()) {
            return Optional.empty();
        }
        if (!value.isNumber()
                || value.asNumber().intValue() != value.asNumber().doubleValue()
                || value.asNumber().intValue() < 0) {
            throw notANumber(member);
        }
        return Optional.of(value.asNumber().intValue());
    }

    private static ApiException notANumber(String member) {
        return new ApiException(ErrorCode.BAD_REQUEST, member + " has to be a whole number from 0");
    }

    private boolean flag(String member) {
        return message.isBoolean(member) && message.getBoolean(member).getValue();
    }

    private List<String> words(String member) {
        return message.isArray(member)
                ? message.getArray(member).stream()
                        .filter(BsonValue::isString)
                        .map(word -> word.asString().getValue())
                        .toList()
                : List.of();
    }
}
