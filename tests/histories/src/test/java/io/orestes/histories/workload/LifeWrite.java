package io.orestes.histories.workload;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * A write of an object with lives, which may exist or not.
 *
 * @param expected the required state of the object, of version 0 if it must be absent; empty if any
 * @param value that it writes, if any
 */
record LifeWrite(Kind kind, String key, Optional<StateTag> expected, int value) {

    private static final StateTag ABSENT = new StateTag(0, OptionalLong.empty());
    private static final int EXISTS = 409;
    private static final int OUT_OF_DATE = 412;

    /** The operation. */
    enum Kind {
        /** By POST to the class. */
        INSERTION,
        /** By PUT to an object that must be absent. */
        FIRST_PUT,
        REPLACEMENT,
        INCREMENT,
        DELETION
    }

    LifeWrite {
        if (kind == Kind.INSERTION || kind == Kind.FIRST_PUT) {
            expected = Optional.of(ABSENT);
        }
    }

    /** Sends it by itself; empty if there was no answer. */
    Optional<Answer> send(Servers servers, int server) {
        return switch (kind) {
            case INSERTION -> send(servers, server, "POST", "/db/" + LifeKeys.BUCKET, object());
            case FIRST_PUT -> send(servers, server, "PUT", key, object(), "If-None-Match", "*");
            case REPLACEMENT -> send(servers, server, "PUT", key, object(), condition());
            case INCREMENT -> send(servers, server, "POST", key, increment(), condition());
            case DELETION -> send(servers, server, "DELETE", key, "", condition());
        };
    }

    private static Optional<Answer> send(
            Servers servers, int server, String method, String path, String body, String... headers) {
        return servers.send(server, method, path, body, Servers.LATER, headers);
    }

    private String[] condition() {
        return expected.map(tag -> new String[] {"If-Match", "\"" + tag.text() + "\""})
                .orElse(new String[] {});
    }

    private String object() {
        return "{\"id\":\"%s\",\"n\":%d}".formatted(key, value);
    }

    private static String increment() {
        return "{\"$inc\":{\"n\":1}}";
    }

    /** Returns it as one operation of a request with several. */
    String operation() {
        return switch (kind) {
            case INSERTION, FIRST_PUT -> "{\"insert\":%s}".formatted(object());
            case REPLACEMENT -> "{\"replace\":%s%s}".formatted(object(), conditionMember());
            case INCREMENT -> "{\"update\":%s,\"id\":\"%s\"%s}".formatted(increment(), key, conditionMember());
            case DELETION -> "{\"delete\":\"%s\"%s}".formatted(key, conditionMember());
        };
    }

    private String conditionMember() {
        return expected.map(tag -> ",\"ifMatch\":\"%s\"".formatted(tag.text())).orElse("");
    }

    /**
     * Returns the status of a refusal for the state of the object, which exists or may be absent.
     */
    private int refusal(boolean isAlone) {
        boolean isInsertion = kind == Kind.INSERTION || (kind == Kind.FIRST_PUT && !isAlone);
        return isInsertion ? EXISTS : OUT_OF_DATE;
    }

    /**
     * Adds it to the history of the object.
     *
     * @param isAlone whether it was sent by itself
     */
    void note(Journal journal, String name, boolean isAlone, LifeResult result, long called, long answered) {
        StringBuilder rest = new StringBuilder(
                switch (kind) {
                    case INSERTION, FIRST_PUT, REPLACEMENT -> ",\"written\":" + value;
                    case INCREMENT -> ",\"adds\":1";
                    case DELETION -> ",\"deletes\":true";
                });
        expected.ifPresent(needed -> rest.append(",\"expected\":").append(needed.version()));
        expected.map(StateTag::time)
                .ifPresent(time -> time.ifPresent(
                        known -> rest.append(",\"expectedTime\":").append(known)));
        switch (result.kind()) {
            case DONE -> {
                rest.append(",\"return\":").append(answered);
                result.version().ifPresent(got -> rest.append(",\"version\":").append(got));
                result.value().ifPresent(got -> rest.append(",\"answered\":").append(got));
                result.time().ifPresent(got -> rest.append(",\"time\":").append(got));
            }
            case REFUSED ->
                rest.append(",\"return\":%d,\"refused\":%d,\"refusal\":%d"
                        .formatted(answered, result.status(), refusal(isAlone)));
            case UNKNOWN -> {}
        }
        journal.line(name, key, called, rest.toString());
    }
}
