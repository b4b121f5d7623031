package io.orestes.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;

final class PeerHandshakeTest {

    private static final String ONE = "00000000000000aa";
    private static final String OTHER = "00000000000000bb";

    private final PeerHandshake peerHandshake = new PeerHandshake("secret".getBytes(StandardCharsets.UTF_8));
    private final PeerHandshake stranger = new PeerHandshake("guessed".getBytes(StandardCharsets.UTF_8));
    private final PeerHandshake.Hello hello = peerHandshake.hello(ONE, OTHER);
    private final PeerHandshake.Challenge challenge = peerHandshake.challenge(hello);

    @Test
    void greeting_bothKnowTheSecret_succeeds() {
        PeerHandshake.Hello heard =
                peerHandshake.readHello(hello.document(), OTHER).orElseThrow();
        BsonDocument answer =
                peerHandshake.respond(hello, peerHandshake.document(challenge)).orElseThrow();

        assertThat(heard).isEqualTo(hello);
        assertThat(peerHandshake.isValidResponse(challenge, answer)).isTrue();
    }

    @Test
    void greeting_oneDoesNotKnowTheSecret_fails() {
        BsonDocument guessed =
                stranger.respond(hello, stranger.document(challenge)).orElseThrow();

        assertThat(peerHandshake.isValidResponse(challenge, guessed)).isFalse();
        assertThat(peerHandshake.respond(hello, stranger.document(challenge))).isEmpty();
    }

    /** The called server sends another challenge each time. */
    @Test
    void isValidResponse_replayedMessages_isRejected() {
        BsonDocument overheard =
                peerHandshake.respond(hello, peerHandshake.document(challenge)).orElseThrow();

        assertThat(peerHandshake.isValidResponse(peerHandshake.challenge(hello), overheard))
                .isFalse();
    }

    /** The caller sends another challenge each time, too. */
    @Test
    void respond_replayedMessages_isRejected() {
        assertThat(peerHandshake.respond(peerHandshake.hello(ONE, OTHER), peerHandshake.document(challenge)))
                .isEmpty();
    }

    /** Otherwise a server could be made to produce a code that is then replayed to itself. */
    @Test
    void isValidResponse_codeOfTheCalledServer_isRejected() {
        assertThat(peerHandshake.isValidResponse(challenge, peerHandshake.document(challenge)))
                .isFalse();
    }

    @Test
    void isValidResponse_ofAnotherMember_fails() {
        PeerHandshake.Hello other = new PeerHandshake.Hello(OTHER, ONE, hello.nonce());
        PeerHandshake.Challenge same = new PeerHandshake.Challenge(other, challenge.nonce());

        assertThat(peerHandshake.isValidResponse(
                        challenge,
                        peerHandshake
                                .respond(other, peerHandshake.document(same))
                                .orElseThrow()))
                .isFalse();
    }

    @Test
    void readHello_forAnotherServerOrMalformed_isEmpty() {
        assertThat(peerHandshake.readHello(hello.document(), ONE)).isEmpty();
        assertThat(peerHandshake.readHello(hello.document(), "")).isEmpty();
        assertThat(peerHandshake.readHello(hello.document().append("from", new BsonString("a b")), OTHER))
                .isEmpty();
        assertThat(peerHandshake.readHello(hello.document().append("nonce", new BsonString("00")), OTHER))
                .isEmpty();
        assertThat(peerHandshake.readHello(new BsonDocument(), OTHER)).isEmpty();
        assertThat(peerHandshake.respond(hello, new BsonDocument())).isEmpty();
    }
}
