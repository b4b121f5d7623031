package io.orestes.http.admin;

import io.invalidb.matching.cell.LastWrite;
import io.invalidb.model.WriteEvent;
import io.orestes.live.EventDeliveryExplanation;
import io.orestes.live.EventDeliveryExplanation.UnknownFact;
import io.orestes.live.EventDeliveryExplanation.Verdict;
import io.orestes.live.event.EventSelection;
import io.orestes.live.event.LiveEvent;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** The JSON form of the explanation why a subscriber received an event or none. */
final class EventDeliveryExplanationJson {

    private EventDeliveryExplanationJson() {}

    static BsonDocument json(EventDeliveryExplanation explanation) {
        BsonArray events = new BsonArray();
        explanation.history().forEach(event -> events.add(json(event)));
        BsonArray unknown = new BsonArray();
        explanation.unknownFacts().stream()
                .sorted()
                .map(UnknownFact::text)
                .map(BsonString::new)
                .forEach(unknown::add);
        return new BsonDocument("active", BsonBoolean.valueOf(explanation.isActive()))
                .append("told", events)
                .append(
                        "lastWrite",
                        explanation.lastWrite() == null
                                ? BsonNull.VALUE
                                : json(explanation.lastWrite(), explanation.verdict()))
                .append("index", explanation.index() == null ? BsonNull.VALUE : new BsonInt32(explanation.index()))
                .append("unknown", unknown);
    }

    private static BsonDocument json(LiveEvent event) {
        BsonDocument document = new BsonDocument("matchType", type(event))
                .append("operation", new BsonString(event.operation()))
                .append("version", new BsonInt64(event.version()))
                .append("date", new BsonString(event.date().toString()));
        event.index().ifPresent(index -> document.append("index", new BsonInt32(index)));
        return document;
    }

    private static BsonString type(LiveEvent event) {
        return new BsonString(EventSelection.typeName(event.type()));
    }

    private static BsonDocument json(LastWrite last, @Nullable Verdict verdict) {
        BsonDocument json = new BsonDocument(
                        "version", new BsonInt64(last.stamp().version()))
                .append("date", new BsonString(last.arrived().toString()));
        WriteEvent write = last.write();
        if (write != null) {
            json.append("operation", new BsonString(EventSelection.wireName(write.operation())));
        }
        return verdict == null ? json : append(json, verdict);
    }

    private static BsonDocument append(BsonDocument json, Verdict verdict) {
        return json.append("readable", BsonBoolean.valueOf(verdict.isReadable()))
                .append("matches", BsonBoolean.valueOf(verdict.matches()))
                .append("whoHadIt", new BsonString(EventSelection.typeName(verdict.typeIfPresent())))
                .append(
                        "whoHadItNot",
                        verdict.typeIfAbsent()
                                .<BsonValue>map(type -> new BsonString(EventSelection.typeName(type)))
                                .orElse(BsonNull.VALUE));
    }
}
