package io.orestes.differential;

import com.mongodb.client.MongoDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;

/** Sends one family's queries to both sides and collects the disagreements. */
final class Comparison {

    private static final int DOCUMENTS = 400;
    private static final int QUERIES = 125;
    private static final int MAX_DISAGREEMENTS = 8;

    /**
     * Mongod fails because of one document, e.g. with two arrays to sort by or a text in
     * arithmetic. Ours sorts such documents in some fixed order, and formulas do not match them.
     */
    private static final String FAILS_ON_ONE_DOCUMENT = "Executor error during find command";

    private final MongodCollection batch;
    private final MongodCollection single;
    private final List<String> disagreements = new ArrayList<>();
    private final Map<String, Integer> unsupported = new TreeMap<>();
    private int queries = 0;
    private int refused = 0;
    private long pairs = 0;
    private long matches = 0;

    Comparison(MongoDatabase database, String name) {
        this.batch = new MongodCollection(database, name);
        this.single = new MongodCollection(database, name + "-single");
    }

    /** Runs one round: documents are stored once, and all queries run on them. */
    void run(long seed, Family family) {
        List<BsonDocument> documents = new ArrayList<>();
        for (int i = 0; i < DOCUMENTS; i++) {
            documents.add(withId(new BsonInt32(i), family.document()));
        }
        batch.index(family.indexes());
        single.index(family.indexes());
        batch.hold(documents);
        for (int i = 0; i < QUERIES && disagreements.size() < MAX_DISAGREEMENTS; i++) {
            compare(seed, new Query(family.filter(), family.sort()), documents);
        }
    }

    private static BsonDocument withId(BsonValue id, BsonDocument document) {
        BsonDocument stored = new BsonDocument("_id", id);
        stored.putAll(document);
        return stored;
    }

    private void compare(long seed, Query query, List<BsonDocument> documents) {
        Answer theirs = batch.ask(query);
        Answer ours = ProductMatcher.ask(query, documents);
        count(theirs, ours, documents.size());
        if (disagree(theirs, ours)) {
            disagreements.add("seed " + seed + ": " + minimal(query, documents, theirs, ours));
        }
    }

    private void count(Answer theirs, Answer ours, int documents) {
        queries++;
        if (theirs instanceof Answer.Ids ids && ours instanceof Answer.Ids) {
            pairs += documents;
            matches += ids.ids().size();
        } else if (theirs instanceof Answer.Refused) {
            refused++;
        } else if (ours instanceof Answer.Unsupported reason) {
            unsupported.merge(kind(reason.reason()), 1, Integer::sum);
        }
    }

    /** Returns the reason without its quotations. */
    private static String kind(String reason) {
        return reason.replaceFirst("(?s)'.*'", "'…'");
    }

    private static boolean disagree(Answer theirs, Answer ours) {
        if (theirs instanceof Answer.Refused refused) {
            return ours instanceof Answer.Ids && !refused.reason().contains(FAILS_ON_ONE_DOCUMENT);
        }
        return !(ours instanceof Answer.Unsupported) && !theirs.equals(ours);
    }

    private String minimal(Query query, List<BsonDocument> documents, Answer theirs, Answer ours) {
        List<BsonDocument> few = suspects(documents, theirs, ours);
        if (!disagreeOn(query, few)) {
            return describe(query, documents.subList(0, 0), theirs, ours);
        }
        Shrinker shrinker = new Shrinker();
        Query small = query;
        for (int i = 0; i < 2; i++) {
            Query now = small;
            BsonDocument filter =
                    shrinker.shrink(now.filter(), smaller -> disagreeOn(new Query(smaller, now.sort()), few));
            BsonDocument sort = shrinker.shrink(now.sort(), smaller -> disagreeOn(new Query(filter, smaller), few));
            small = new Query(filter, sort);
            shrinkDocuments(shrinker, small, few);
        }
        single.hold(few);
        return describe(small, few, single.ask(small), ProductMatcher.ask(small, few));
    }

    private void shrinkDocuments(Shrinker shrinker, Query query, List<BsonDocument> few) {
        for (int i = 0; i < few.size(); i++) {
            int at = i;
            BsonDocument smallest = shrinker.shrink(few.get(i), smaller -> disagreeOn(query, with(few, at, smaller)));
            few.set(i, with(few, at, smallest).get(at));
        }
    }

    private static List<BsonDocument> with(List<BsonDocument> documents, int at, BsonDocument other) {
        List<BsonDocument> changed = new ArrayList<>(documents);
        changed.set(at, withId(documents.get(at).getInt32("_id"), other));
        return changed;
    }

    private boolean disagreeOn(Query query, List<BsonDocument> documents) {
        return single.stores(documents) && disagree(single.ask(query), ProductMatcher.ask(query, documents));
    }

    /** Returns a document that one side finds, or two that the sides order differently. */
    private static List<BsonDocument> suspects(List<BsonDocument> documents, Answer theirs, Answer ours) {
        List<BsonDocument> few = new ArrayList<>();
        if (theirs instanceof Answer.Ids one && ours instanceof Answer.Ids other) {
            onlyInOne(one.ids(), other.ids())
                    .or(() -> onlyInOne(other.ids(), one.ids()))
                    .ifPresentOrElse(id -> few.add(byId(documents, id)), () -> {
                        int at = firstDifference(one.ids(), other.ids());
                        few.add(byId(documents, one.ids().get(at)));
                        few.add(byId(documents, other.ids().get(at)));
                    });
        }
        return few;
    }

    private static Optional<BsonValue> onlyInOne(List<BsonValue> one, List<BsonValue> other) {
        return one.stream().filter(id -> !other.contains(id)).findFirst();
    }

    private static int firstDifference(List<BsonValue> one, List<BsonValue> other) {
        int at = 0;
        while (one.get(at).equals(other.get(at))) {
            at++;
        }
        return at;
    }

    private static BsonDocument byId(List<BsonDocument> documents, BsonValue id) {
        return documents.get(id.asInt32().getValue());
    }

    private static String describe(Query query, List<BsonDocument> documents, Answer theirs, Answer ours) {
        return "filter " + query.filter().toJson()
                + (query.sort().isEmpty() ? "" : " sort " + query.sort().toJson())
                + " on " + documents.stream().map(BsonDocument::toJson).toList()
                + "\n      mongod: " + theirs + "\n      ours:   " + ours;
    }

    List<String> disagreements() {
        return disagreements;
    }

    /** Returns the number of pairs of a query and a document on which both sides gave a verdict. */
    long pairs() {
        return pairs;
    }

    /** Returns the number of queries that only the genuine server answers, by our reason. */
    Map<String, Integer> unsupported() {
        return unsupported;
    }

    @Override
    public String toString() {
        return queries + " queries, " + pairs + " pairs, " + matches + " matches, " + refused + " refused by mongod, "
                + "unsupported: " + unsupported;
    }
}
