package io.orestes.system;

import java.util.Set;

/**
 * One way to read or write an object, and what protocol §6.2 says of it.
 *
 * @param method of the request that matters
 * @param needs the permissions of the class that it needs
 * @param right the member of the object's {@code acl} that it needs; empty for none
 * @param isThere whether there is an object before
 * @param granted what it comes to if both levels grant it
 * @param refusedByClass what it comes to if the class does not
 * @param refusedByObject what it comes to if only the object does not
 */
record PermissionOperation(
        String name,
        String method,
        Set<String> needs,
        String right,
        boolean isThere,
        Outcome granted,
        Outcome refusedByClass,
        Outcome refusedByObject,
        Attempt attempt) {

    /** An object as it was put there, and as a write changes it: version and number. */
    static final String AS_IT_WAS = "1/1";

    static final String CHANGED = "2/2";
    static final String INSERTED = "1/2";
    static final String ABSENT = "absent";

    private static final String REFUSED = "466";

    static PermissionOperation read(
            String name, String method, String need, String granted, String hidden, Attempt attempt) {
        return new PermissionOperation(
                name,
                method,
                Set.of(need),
                "read",
                true,
                new Outcome(granted, AS_IT_WAS),
                new Outcome(REFUSED, AS_IT_WAS),
                new Outcome(hidden, AS_IT_WAS),
                attempt);
    }

    static PermissionOperation write(
            String name, String method, Set<String> needs, String granted, String after, Attempt attempt) {
        return new PermissionOperation(
                name,
                method,
                needs,
                "write",
                true,
                new Outcome(granted, after),
                new Outcome(REFUSED, AS_IT_WAS),
                new Outcome(REFUSED, AS_IT_WAS),
                attempt);
    }

    /** Where there is no object before. */
    static PermissionOperation make(
            String name, String method, Set<String> needs, String granted, String after, Attempt attempt) {
        return new PermissionOperation(
                name,
                method,
                needs,
                "",
                false,
                new Outcome(granted, after),
                new Outcome(REFUSED, ABSENT),
                new Outcome(granted, after),
                attempt);
    }

    /** What it needs beside, to be an operation at all. */
    Set<String> alsoNeeds() {
        return name.equals(PermissionReads.AFTER_UPDATE) ? Set.of("update") : Set.of();
    }

    boolean dependsOnObject() {
        return !right.isEmpty();
    }

    String before() {
        return isThere ? AS_IT_WAS : ABSENT;
    }

    @Override
    public String toString() {
        return name;
    }

    /**
     * What comes of it.
     *
     * @param answer what the asker learns: a status, or whether the object is shown
     * @param state what there is afterwards
     */
    record Outcome(String answer, String state) {}

    /** Tries it, and says what the asker learns. */
    interface Attempt {
        String by(Asker asker, Subject subject);
    }

    /**
     * The object that it is about.
     *
     * @param prepared path of a prepared query that finds objects of the class by their name
     */
    record Subject(String bucket, String key, String prepared) {

        String id() {
            return "/db/" + bucket + "/" + key;
        }

        /** A super class of the class. */
        String over() {
            return "Over" + bucket;
        }

        /** An object that refers to it. */
        String holder() {
            return "/db/" + over() + "/" + key;
        }

        /** Another one of the class, which is not there before. */
        String companion() {
            return id() + "c";
        }

        String byName() {
            return "{\"name\":\"" + key + "\"}";
        }
    }
}
