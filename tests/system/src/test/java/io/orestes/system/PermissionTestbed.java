package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.system.PermissionOperation.Outcome;
import io.orestes.system.PermissionOperation.Subject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * The classes and objects of {@link PermissionMatrixTest}: for every permission and every rule a
 * class that has this rule as this permission and is public otherwise, for every case an object of
 * its own.
 */
final class PermissionTestbed implements AutoCloseable {

    /** Permissions of a class that protect its data. */
    static final List<String> KEYS = List.of("load", "query", "insert", "update", "delete");

    static final String PUBLIC = "public";

    private static final int AT_ONCE = 16;

    private final Client root;
    private final PermissionCallers cast;
    private final Map<String, Map<String, String>> rules;
    private final List<PermissionCaller> askers;
    private final Map<String, String> prepared = new HashMap<>();
    private final AtomicInteger objects = new AtomicInteger();
    private final ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);

    PermissionTestbed(Backend backend) {
        this.root = backend.root();
        this.cast = new PermissionCallers(backend);
        this.rules = cast.rules();
        this.askers = cast.askers();
        createClasses();
    }

    Map<String, Map<String, String>> rules() {
        return rules;
    }

    List<PermissionCaller> askers() {
        return askers;
    }

    Client root() {
        return root;
    }

    /** Returns the class with this rule as this permission. */
    static String bucket(String key, String rule) {
        return rule.equals(PUBLIC) ? "RulePublic" : "Rule" + capital(key) + capital(rule);
    }

    private static String capital(String name) {
        return Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }

    private void createClasses() {
        List<String> classes = new ArrayList<>();
        addClass(classes, bucket("", PUBLIC), "{}");
        for (String key : KEYS) {
            rules.forEach((name, rule) -> {
                if (!name.equals(PUBLIC)) {
                    addClass(classes, bucket(key, name), "{\"" + key + "\":" + json(rule) + "}");
                }
            });
        }
        Answer created = root.post("/schema", "[" + String.join(",", classes) + "]");
        assertThat(created.status()).as(created.text()).isEqualTo(200);
        prepared.replaceAll((bucket, definition) -> prepare(definition));
    }

    private void addClass(List<String> classes, String bucket, String acl) {
        classes.add("{\"class\":\"/db/Over%1$s\",\"fields\":{%2$s,%3$s,%4$s}}"
                .formatted(bucket, field("n", "Integer"), field("name", "String"), field("to", bucket)));
        classes.add("{\"class\":\"/db/%1$s\",\"superClass\":\"/db/Over%1$s\",\"fields\":{},\"acl\":%2$s}"
                .formatted(bucket, acl));
        prepared.put(
                bucket,
                ("{\"bucket\":\"%s\",\"query\":{\"name\":{\"$param\":\"name\"}},"
                                + "\"parameters\":{\"name\":\"/db/String\"}}")
                        .formatted(bucket));
    }

    private static String field(String name, String type) {
        return "\"%1$s\":{\"name\":\"%1$s\",\"type\":\"/db/%2$s\"}".formatted(name, type);
    }

    private String prepare(String definition) {
        Answer created = root.post("/query", definition);
        assertThat(created.status()).as(created.text()).isEqualTo(201);
        return created.header("location").orElseThrow().substring("/v1".length());
    }

    static String json(Map<String, String> rule) {
        return rule.entrySet().stream()
                .map(entry -> "\"" + entry.getKey() + "\":\"" + entry.getValue() + "\"")
                .collect(Collectors.joining(",", "{", "}"));
    }

    /** One attempt: caller, operation and object. */
    record Case(
            PermissionOperation operation,
            String key,
            String classRule,
            String objectRule,
            PermissionCaller asker,
            Subject subject) {

        @Override
        public String toString() {
            return "%s by %s, class %s %s, object %s %s"
                    .formatted(operation, asker, key, classRule, operation.right(), objectRule);
        }
    }

    Case newCase(
            PermissionOperation operation, String key, String classRule, String objectRule, PermissionCaller asker) {
        String bucket = bucket(key, classRule);
        Subject subject = new Subject(bucket, "o" + objects.incrementAndGet() + "_", preparedFor(bucket));
        return new Case(operation, key, classRule, objectRule, asker, subject);
    }

    private String preparedFor(String bucket) {
        return prepared.getOrDefault(bucket, "");
    }

    /** Returns the outcome that the rules require. */
    Outcome expected(Case one) {
        PermissionOperation operation = one.operation;
        Set<String> identities = one.asker.identities(operation.method());
        if (!one.asker.isKnown()) {
            return new Outcome("460", operation.before());
        }
        if (one.asker.signedBy().isPresent() && PermissionReads.BEYOND_THE_PATH.contains(operation.name())) {
            return new Outcome("466", operation.before());
        }
        if (operation.needs().contains(one.key) && !PermissionOracle.grants(rule(one.classRule), identities)) {
            return operation.refusedByClass();
        }
        return PermissionOracle.grants(rule(one.objectRule), identities)
                ? operation.granted()
                : operation.refusedByObject();
    }

    Map<String, String> rule(String name) {
        return rules.getOrDefault(name, Map.of());
    }

    /**
     * Runs all cases concurrently, and returns those that contradict the rules, or the explanation
     * before.
     */
    List<String> disagreements(List<Case> cases) throws Exception {
        place(cases);
        List<Optional<Boolean>> explained = all(cases, this::explained);
        List<String> learned = all(cases, this::attempt);
        Map<String, String> states = takeAway(cases);
        List<String> disagreements = new ArrayList<>();
        for (int i = 0; i < cases.size(); i++) {
            Case one = cases.get(i);
            Outcome found = new Outcome(learned.get(i), state(states, one.subject));
            Outcome expected = expected(one);
            if (!found.equals(expected)) {
                disagreements.add(one + ": " + found + " instead of " + expected);
            }
            boolean isDone = PermissionExplanations.isDone(one.operation, learned.get(i));
            if (explained.get(i).filter(granted -> granted != isDone).isPresent()) {
                disagreements.add(one + ": " + found + ", which is not what the explanation says");
            }
        }
        return disagreements;
    }

    /**
     * Returns the explanation of {@code /-/explain} before; empty for callers that are no ordinary
     * users.
     */
    private Optional<Boolean> explained(Case one) {
        return one.asker.isSomebody()
                ? Optional.of(PermissionExplanations.isGranted(
                        root, one.asker, PermissionExplanations.of(one.operation), one.subject.id()))
                : Optional.empty();
    }

    private String attempt(Case one) {
        List<Answer> answers = new ArrayList<>();
        try {
            String learned = one.operation.attempt().by(one.asker.toldTo(answers::add), one.subject);
            return answers.stream().anyMatch(answer -> isSharedWrongly(one, answer)) ? learned + " for all" : learned;
        } catch (AssertionError e) {
            return String.valueOf(e.getMessage());
        }
    }

    /**
     * Copies of answers that depend on the caller are not shared (protocol §8.4), and none has a
     * token in it (§5.3).
     */
    private static boolean isSharedWrongly(Case one, Answer answer) {
        if (!answer.header("cache-control").orElse("").matches(".*(public|s-maxage).*")) {
            return false;
        }
        boolean isSameForAll = PermissionReads.SHARED.contains(one.operation.name())
                && one.asker.signedBy().isEmpty()
                && one.objectRule.equals(PUBLIC)
                && (one.classRule.equals(PUBLIC) || !one.operation.needs().contains(one.key));
        return answer.header("baqend-authorization-token").isPresent() || !(one.asker.isAnonymous() || isSameForAll);
    }

    private void place(List<Case> cases) throws Exception {
        Map<String, List<String>> byBucket = new HashMap<>();
        for (Case one : cases) {
            Subject subject = one.subject;
            if (one.operation.isThere()) {
                byBucket.computeIfAbsent(subject.bucket(), bucket -> new ArrayList<>())
                        .add("{\"id\":\"%s\",\"n\":1,\"name\":\"%s\",\"acl\":{\"%s\":%s}}"
                                .formatted(
                                        subject.id(),
                                        subject.key(),
                                        one.operation.right(),
                                        json(rule(one.objectRule))));
            }
            if (one.operation.name().equals(PermissionReads.BY_REFERENCE)) {
                byBucket.computeIfAbsent(subject.superClass(), bucket -> new ArrayList<>())
                        .add("{\"id\":\"%s\",\"to\":\"%s\"}".formatted(subject.referrer(), subject.id()));
            }
        }
        all(byBucket.keySet(), bucket -> {
            Answer imported =
                    root.put("/db/" + bucket, "[" + String.join(",", byBucket.getOrDefault(bucket, List.of())) + "]");
            assertThat(imported.array()).isEmpty();
            return bucket;
        });
    }

    /** Returns the state after the attempts: version and number by id. */
    private Map<String, String> takeAway(List<Case> cases) throws Exception {
        Set<String> buckets = new TreeSet<>();
        cases.forEach(one -> buckets.add(one.subject.bucket()));
        Map<String, String> states = new HashMap<>();
        all(buckets, this::takeAway).forEach(states::putAll);
        return states;
    }

    private Map<String, String> takeAway(String bucket) {
        Map<String, String> states = new HashMap<>();
        for (BsonValue object : root.get("/db/" + bucket).array()) {
            states.put(object.asDocument().getString("id").getValue(), state(object.asDocument()));
        }
        assertThat(root.delete("/db/" + bucket).status()).isEqualTo(200);
        return states;
    }

    /** Runs a step for all of them concurrently. */
    @CanIgnoreReturnValue
    <T, R> List<R> all(Collection<T> each, Function<T, R> step) throws Exception {
        List<R> results = new ArrayList<>();
        for (Future<R> done : threads.invokeAll(
                each.stream().<Callable<R>>map(one -> () -> step.apply(one)).toList())) {
            results.add(done.get());
        }
        return results;
    }

    private static String state(BsonDocument object) {
        return object.getNumber("version").intValue() + "/"
                + object.getNumber("n").intValue();
    }

    private static String state(Map<String, String> states, Subject subject) {
        return states.getOrDefault(subject.id(), PermissionOperation.ABSENT)
                + (states.containsKey(subject.companion()) ? "+companion" : "");
    }

    @Override
    public void close() {
        threads.shutdownNow();
        cast.disband();
    }
}
