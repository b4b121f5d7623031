package io.orestes.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;

final class GreetingTest {

    private static final String ONE = "00000000000000aa";
    private static final String OTHER = "00000000000000bb";

    private final Greeting greeting = new Greeting("secret".getBytes(StandardCharsets.UTF_8));
    private final Greeting stranger = new Greeting("guessed".getBytes(StandardCharsets.UTF_8));
    private final Greeting.Hello hello = greeting.hello(ONE, OTHER);
    private final Greeting.Challenge challenge = greeting.challenge(hello);

    @Test
    void greeting_bothKnowTheSecret_succeeds() {
        Greeting.Hello heard = greeting.readHello(hello.document(), OTHER).orElseThrow();
        BsonDocument answer =
                greeting.answer(hello, greeting.document(challenge)).orElseThrow();

        assertThat(heard).isEqualTo(hello);
        assertThat(greeting.isAnswered(challenge, answer)).isTrue();
    }

    @Test
    void greeting_oneDoesNotKnowTheSecret_fails() {
        BsonDocument guessed =
                stranger.answer(hello, stranger.document(challenge)).orElseThrow();

        assertThat(greeting.isAnswered(challenge, guessed)).isFalse();
        assertThat(greeting.answer(hello, stranger.document(challenge))).isEmpty();
    }

    /** The called one asks for another code each time. */
    @Test
    void isAnswered_whatWasOverheard_isWorthNothing() {
        BsonDocument overheard =
                greeting.answer(hello, greeting.document(challenge)).orElseThrow();

        assertThat(greeting.isAnswered(greeting.challenge(hello), overheard)).isFalse();
    }

    /** The caller, too. */
    @Test
    void answer_whatWasOverheard_isWorthNothing() {
        assertThat(greeting.answer(greeting.hello(ONE, OTHER), greeting.document(challenge)))
                .isEmpty();
    }

    /** A server could be had to make a code that is then shown to itself. */
    @Test
    void isAnswered_codeOfTheCalledOne_isNotTheCallers() {
        assertThat(greeting.isAnswered(challenge, greeting.document(challenge))).isFalse();
    }

    @Test
    void isAnswered_ofAnotherMember_fails() {
        Greeting.Hello other = new Greeting.Hello(OTHER, ONE, hello.nonce());
        Greeting.Challenge same = new Greeting.Challenge(other, challenge.nonce());

        assertThat(greeting.isAnswered(
                        challenge,
                        greeting.answer(other, greeting.document(same)).orElseThrow()))
                .isFalse();
    }

    @Test
    void readHello_meansSomebodyElseOrIsMalformed_isEmpty() {
        assertThat(greeting.readHello(hello.document(), ONE)).isEmpty();
        assertThat(greeting.readHello(hello.document(), "")).isEmpty();
        assertThat(greeting.readHello(hello.document().append("from", new BsonString("a b")), OTHER))
                .isEmpty();
        assertThat(greeting.readHello(hello.document().append("nonce", new BsonString("00")), OTHER))
                .isEmpty();
        assertThat(greeting.readHello(new BsonDocument(), OTHER)).isEmpty();
        assertThat(greeting.answer(hello, new BsonDocument())).isEmpty();
    }
}
