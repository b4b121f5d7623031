package io.orestes.system;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A caller in {@link PermissionMatrixTest}.
 *
 * @param identities the ids that rules may name (protocol §6.1), by the test's own setup
 * @param isKnown whether the token is valid
 * @param signedBy the session whose signature is in the URLs instead of a header; only reads are on
 *     behalf of its user
 * @param answers receives all answers
 */
record PermissionCaller(
        String name,
        Set<String> identities,
        boolean isKnown,
        Client client,
        Optional<String> signedBy,
        Consumer<Answer> answers) {

    private static final int SIGNATURE_DIGITS = 40;

    static PermissionCaller of(String name, Client client, String... identities) {
        return new PermissionCaller(name, Set.of(identities), true, client, Optional.empty(), answer -> {});
    }

    static PermissionCaller unknown(String name, Client client) {
        return new PermissionCaller(name, Set.of(), false, client, Optional.empty(), answer -> {});
    }

    /** Returns the identities that the server has to assume for a request by that method. */
    Set<String> identities(String method) {
        return signedBy.isPresent() && !method.equals("GET") ? Set.of() : identities;
    }

    /** Returns an equal caller whose answers a listener receives. */
    PermissionCaller toldTo(Consumer<Answer> listener) {
        return new PermissionCaller(name, identities, isKnown, client, signedBy, listener);
    }

    /** Returns whether it is an ordinary user or anonymous, with all existing roles. */
    boolean isSomebody() {
        return isKnown && signedBy.isEmpty() && !name.equals(PermissionCallers.ROLE_ONLY);
    }

    /** Returns the id of the user; empty for an anonymous caller. */
    String user() {
        return identities.stream()
                .filter(id -> id.startsWith("/db/User/"))
                .findFirst()
                .orElse("");
    }

    boolean isAdmin() {
        return identities.contains("/db/Role/1");
    }

    boolean isAnonymous() {
        return isKnown && identities.isEmpty();
    }

    Answer get(String path, String... headers) {
        return recorded(client.get(addressed(path), headers));
    }

    Answer post(String path, String json, String... headers) {
        return recorded(client.post(addressed(path), json, headers));
    }

    Answer put(String path, String json, String... headers) {
        return recorded(client.put(addressed(path), json, headers));
    }

    Answer delete(String path, String... headers) {
        return recorded(client.delete(addressed(path), headers));
    }

    Answer postText(String path, String text) {
        return recorded(
                client.send("POST", addressed(path), BodyPublishers.ofString(text), "Content-Type", "text/plain"));
    }

    private Answer recorded(Answer answer) {
        answers.accept(answer);
        return answer;
    }

    /** Returns the path, signed if this caller signs URLs (protocol §5.9). */
    String addressed(String path) {
        String bare = path.replaceFirst("\\?.*", "");
        return signedBy.map(token -> path + (bare.equals(path) ? '?' : '&') + "BAT=" + signature(token, "/v1" + bare))
                .orElse(path);
    }

    private static String signature(String token, String path) {
        int length = token.length() - SIGNATURE_DIGITS;
        String data = token.substring(0, length);
        try {
            Mac mac = Mac.getInstance("HmacSHA1");
            mac.init(new SecretKeySpec(token.substring(length).getBytes(StandardCharsets.US_ASCII), "HmacSHA1"));
            return data + HexFormat.of().formatHex(mac.doFinal((path + data).getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
