package io.orestes.schema.edit;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import java.util.Set;

/**
 * The class names that are reserved because published clients have a database member of that name.
 * A class of such a name prevents every client of the protocol from connecting. The names were
 * found by trial: with them none of the published versions 3.1, 3.4 and 4.2 connects. Names of
 * fields cause no such failure.
 */
final class ReservedClassNames {

    private static final Set<String> NAMES = Set.of(
            """
            Acl EntityManager EntityManagerFactory List Map Set addToBlackList addToWhiteList attach binding
            bloomFilterLock bloomFilterRefresh caching changeUsername checkDeviceRegistration clear close code
            connected connection connector contains containsById createQueryBuilder createURL db delete detach
            ensureBloomFilterFreshness ensureCacheHeader entities entityManagerFactory error flush getReference
            getSubEntities getSubEntitiesByPath hasOwnProperty insert intersection isCachingDisabled
            isCachingEnabled isOpen isPrototypeOf isReady load log login loginWithOAuth logout message metamodel
            modules mustRevalidate newPassword newPasswordWithToken optimisticSave partialupdate persist
            propertyIsEnumerable pushDevice query ready readyPromise refresh refreshBloomFilter register
            registerDevice removeReference renew requestAPIToken resetPassword resolveDepth revokeAllTokens save
            send then toLocaleString toString tokenStorage update util validate valueOf withLock
            """
                    .split("\\s+"));

    /** Names that prevent only versions after 3.1 from connecting. */
    private static final Set<String> OF_LATER = Set.of(
            "connectData", "disableMFA", "executeQuery", "finishMFA", "getMFAStatus", "initMFA", "submitMFACode");

    private ReservedClassNames() {}

    /** Fails with {@code BAD_REQUEST} if no new class may have the name. */
    static void requireAllowed(String name) {
        requireNotIn(NAMES, name, "every client");
    }

    /**
     * Fails with {@code BAD_REQUEST} if the name prevents later versions from connecting; for
     * editors without knowledge of the versions of clients.
     */
    static void requireAllowedInLaterClients(String name) {
        requireNotIn(OF_LATER, name, "later clients");
    }

    private static void requireNotIn(Set<String> names, String name, String whose) {
        if (names.contains(name)) {
            throw new ApiException(
                    ErrorCode.BAD_REQUEST,
                    "A class cannot be called " + name + ": that is a member of " + whose
                            + " already, and with it they could not connect");
        }
    }
}
