package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Answers of {@code /-/explain}, and the question for each {@link PermissionMatrixTest} operation
 * that reads or writes an object.
 */
final class PermissionExplanations {

    private static final Map<String, List<String>> ASKED_FOR = Map.of(
            "load",
                    List.of(
                            "load",
                            "load fresh",
                            "load conditional",
                            "load cached",
                            "load deep",
                            "transaction read",
                            PermissionReads.AFTER_UPDATE),
            "depth", List.of(PermissionReads.BY_REFERENCE),
            "query",
                    List.of(
                            "query",
                            "query fresh",
                            "query by id",
                            "query by POST",
                            "query sorted",
                            "query hinted",
                            "query ids",
                            "query versions",
                            "query deep",
                            "query polymorphic",
                            "query of super class"),
            "count", List.of("count", "count by POST", "count of super class"),
            "prepared", List.of("prepared query"),
            "aggregate", List.of("aggregate"),
            "insert", List.of("insert", "insert what is there", "bulk insert", "transaction insert"),
            "save",
                    List.of(
                            "save",
                            "save what is absent",
                            "bulk save",
                            "bulk save of what is absent",
                            "transaction of two"),
            "update",
                    List.of(
                            "update",
                            "update any version",
                            "update another version",
                            "update what is absent",
                            "bulk replace",
                            "transaction write"),
            "partialUpdate",
                    List.of(
                            "partial update",
                            "partial update of the ACL",
                            "partial update of another version",
                            "update of a field",
                            "change what is absent",
                            "bulk update",
                            "transaction partial update"));

    /** Operations that no permission makes succeed, which explanations state. */
    private static final Set<String> IMPOSSIBLE =
            Set.of("insert what is there", "update what is absent", "change what is absent");

    private PermissionExplanations() {}

    /** Returns the name of the operation there. */
    static String of(PermissionOperation operation) {
        return ASKED_FOR.entrySet().stream()
                .filter(entry -> entry.getValue().contains(operation.name()))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseGet(() -> deletion(operation));
    }

    private static String deletion(PermissionOperation operation) {
        if (!operation.name().contains("delete")) {
            throw new AssertionError("No explanation of " + operation + " is defined");
        }
        return "delete";
    }

    /** Returns whether it would be granted, according to {@code /-/explain}. */
    static boolean isGranted(Client root, PermissionCaller asker, String operation, String ref) {
        Answer explained = root.get("/-/explain?caller=%s&operation=%s&ref=%s"
                .formatted(Client.encode(asker.user()), operation, Client.encode(ref)));
        assertThat(explained.status()).as(explained.text()).isEqualTo(200);
        return explained.object().getBoolean("granted").getValue();
    }

    /**
     * Returns whether the caller was granted what the explanation is about; conflicts of versions
     * are not part of it.
     */
    static boolean isDone(PermissionOperation operation, String learned) {
        return !IMPOSSIBLE.contains(operation.name())
                && learned.equals(operation.granted().answer());
    }
}
