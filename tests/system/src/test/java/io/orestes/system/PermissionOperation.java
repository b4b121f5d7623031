package io.orestes.system;

import java.util.Set;

/**
 * One way to read or write an object, with its rules in protocol §6.2.
 *
 * @param method of the request that matters
 * @param needs the permissions of the class that it needs
 * @param right the member of the object's {@code acl} that it needs; empty for none
 * @param isThere whether the object exists before
 * @param granted the outcome if both levels grant it
 * @param refusedByClass the outcome if the class does not
 * @param refusedByObject the outcome if only the object does not
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

    /** An object as inserted, and as a write changes it: version and number. */
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

    /** Returns an operation on an absent object. */
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

    /** Returns further permissions that the operation needs to be one at all. */
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
     * The outcome of an operation.
     *
     * @param answer what the caller learns: a status, or whether the object is shown
     * @param state the stored state afterwards
     */
    record Outcome(String answer, String state) {}

    /** Runs the operation, and returns what the caller learns. */
    interface Attempt {
        String by(PermissionCaller asker, Subject subject);
    }

    /**
     * The object of an attempt.
     *
     * @param prepared path of a prepared query that finds objects of the class by their name
     */
    record Subject(String bucket, String key, String prepared) {

        String id() {
            return "/db/" + bucket + "/" + key;
        }

        /** Returns a super class of the class. */
        String superClass() {
            return "Over" + bucket;
        }

        /** Returns an object that refers to it. */
        String referrer() {
            return "/db/" + superClass() + "/" + key;
        }

        /** Returns another object of the class, which is absent before. */
        String companion() {
            return id() + "c";
        }

        String byName() {
            return "{\"name\":\"" + key + "\"}";
        }
    }
}
