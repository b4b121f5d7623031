package io.orestes.model;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * An access control list: the permissions to read and to write one object (protocol §6.3).
 *
 * @param read permission to load it and find it by query
 * @param write permission to change and delete it
 */
public record Acl(Permission read, Permission write) {

    /** List by which everybody may read and write. */
    public static final Acl PUBLIC = new Acl(Permission.PUBLIC, Permission.PUBLIC);

    /**
     * Parses the wire form {@code {"read": {"<id>": "allow"|"deny"}, "write": {…}}}; {@code null},
     * absent and empty members mean public. Fails with {@code INVALID_PERMISSION_MODIFICATION} for
     * ids other than of users and roles.
     */
    public static Acl fromBson(BsonValue value) {
        if (value.isNull()) {
            return PUBLIC;
        }
        if (!value.isDocument()) {
            throw invalid("An ACL is an object with the members read and write");
        }
        BsonDocument acl = value.asDocument();
        acl.keySet().stream()
                .filter(member -> !member.equals("read") && !member.equals("write"))
                .findFirst()
                .ifPresent(member -> {
                    throw invalid("Unknown member of an ACL: " + member);
                });
        return new Acl(permission(acl, "read"), permission(acl, "write"));
    }

    /**
     * Checks both permissions by {@link Permission#requireIds}; to be called for every list that a
     * client sends.
     */
    public void requireIds() {
        read.requireIds();
        write.requireIds();
    }

    /** Returns the wire form, with both members always present. */
    public BsonDocument toBson() {
        return new BsonDocument("read", rules(read)).append("write", rules(write));
    }

    /** Parses one permission map {@code {"<id>": "allow"|"deny"}}. */
    public static Permission permission(BsonDocument parent, String member) {
        BsonValue rules = parent.get(member);
        if (rules == null || rules.isNull()) {
            return Permission.PUBLIC;
        }
        if (!rules.isDocument()) {
            throw invalid("Permissions are an object of user and role ids: " + member);
        }
        return permission(rules.asDocument());
    }

    /** Returns the map form of one permission. */
    public static BsonDocument rules(Permission permission) {
        Map<String, BsonValue> rules = new LinkedHashMap<>();
        permission.allowed().stream().sorted().forEach(id -> rules.put(id, new BsonString("allow")));
        permission.denied().stream().sorted().forEach(id -> rules.put(id, new BsonString("deny")));
        BsonDocument document = new BsonDocument();
        document.putAll(rules);
        return document;
    }

    private static Permission permission(BsonDocument rules) {
        Set<String> allowed = new LinkedHashSet<>();
        Set<String> denied = new LinkedHashSet<>();
        rules.forEach((id, rule) -> {
            if (!id.startsWith("/db/User/") && !id.startsWith("/db/Role/")) {
                throw invalid("Not the id of a user or role: " + id);
            }
            (isAllow(id, rule) ? allowed : denied).add(id);
        });
        return new Permission(allowed, denied);
    }

    private static boolean isAllow(String id, BsonValue rule) {
        String word = rule.isString() ? rule.asString().getValue() : "";
        if (!word.equals("allow") && !word.equals("deny")) {
            throw invalid("Neither allow nor deny for " + id);
        }
        return word.equals("allow");
    }

    private static ApiException invalid(String message) {
        return new ApiException(ErrorCode.INVALID_PERMISSION_MODIFICATION, message);
    }
}
