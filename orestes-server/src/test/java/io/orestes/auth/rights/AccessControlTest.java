package io.orestes.auth.rights;

import static io.orestes.schema.TestSchemas.object;
import static io.orestes.schema.TestSchemas.with;
import static io.orestes.store.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orestes.model.Acl;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Permission;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.schema.EmptyStoreFixture;
import io.orestes.schema.model.ClassOperation;
import io.orestes.schema.model.ClassSchema;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AccessControlTest extends EmptyStoreFixture {

    private static final List<String> IDS =
            List.of("/db/User/1", "/db/User/2", "/db/Role/1", "/db/Role/3", "/db/Role/7", "/db/Role/8");

    @ParameterizedTest
    @EnumSource(ClassOperation.class)
    void require_missingPermission_isNamed(ClassOperation operation) {
        ClassSchema type = with("{'class': '/db/A', 'acl': {'" + operation.key() + "': {'/db/User/1': 'allow'}}}")
                .get("A");

        ApiException refusal =
                catchThrowableOfType(ApiException.class, () -> type.require(operation, Principal.ANONYMOUS));

        assertThat(refusal.code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(refusal.message()).isEqualTo(operation.key() + " permissions are required on /db/A");
        type.require(operation, new Principal(Set.of("/db/User/1"), false));
        type.require(operation, Principal.SERVER);
    }

    @Test
    void requireInsert_usersAndDevices_areNotAllowedToAnybody() {
        assertThat(catchThrowableOfType(
                                ApiException.class,
                                () -> AccessControl.requireInsert(
                                        Principal.SERVER, with("[]").get("User")))
                        .message())
                .contains("are not allowed");
        AccessControl.requireInsert(Principal.ANONYMOUS, with("[]").get("Role"));
    }

    /**
     * For all kinds of objects and callers, the single read, the query condition and the rules
     * agree.
     */
    @Test
    void canReadAndReadCondition_anyAclAndCaller_followTheRules() {
        Random random = new Random(11);

        for (int i = 0; i < 150; i++) {
            Acl acl = new Acl(permission(random), permission(random));
            ObjectRef ref = new ObjectRef("A", "k" + i);
            StoredObject stored = await(store.insert(ref, new BsonDocument("acl", acl.toBson())));
            for (Principal caller : List.of(Principal.ANONYMOUS, Principal.SERVER, caller(random), caller(random))) {
                boolean expected = granted(acl.toBson().getDocument("read"), caller);
                assertThat(AccessControl.canRead(caller, stored)).isEqualTo(expected);
                assertThat(AccessControl.readCondition(caller)
                                .map(condition -> condition.matches(stored.document()))
                                .orElse(true))
                        .as("%s for %s", acl, caller)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void canRead_objectWithoutAcl_isPublic() {
        StoredObject stored = await(store.insert(new ObjectRef("A", "1"), object("{'a': 1}")));

        assertThat(AccessControl.canRead(Principal.ANONYMOUS, stored)).isTrue();
    }

    /** Evaluates protocol §6.1 literally, on the wire form. */
    private static boolean granted(BsonDocument rules, Principal caller) {
        if (caller.isAdmin()) {
            return true;
        }
        Set<String> words = new HashSet<>();
        caller.identities().forEach(id -> {
            if (rules.containsKey(id)) {
                words.add(rules.getString(id).getValue());
            }
        });
        if (caller.hasUncountedRoles()) {
            rules.forEach((id, word) -> {
                if (id.startsWith("/db/Role/") && word.asString().getValue().equals("deny")) {
                    words.add("deny");
                }
            });
        }
        boolean anyAllow = rules.values().stream()
                .anyMatch(word -> word.asString().getValue().equals("allow"));
        return !words.contains("deny") && (!anyAllow || words.contains("allow"));
    }

    private static Permission permission(Random random) {
        return new Permission(some(random), some(random));
    }

    private static Principal caller(Random random) {
        Set<String> identities = some(random);
        identities.remove(Principal.ADMIN_ROLE);
        identities.add("/db/User/2");
        if (random.nextInt(4) == 0) {
            identities.add(Principal.UNCOUNTED_ROLES);
        }
        return new Principal(identities, false);
    }

    private static Set<String> some(Random random) {
        Set<String> some = new HashSet<>();
        random.ints(random.nextInt(3), 0, IDS.size()).forEach(i -> some.add(IDS.get(i)));
        return some;
    }
}
