package io.orestes.coherence;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The assumptions of a writer about a write without an answer. */
final class AuthorTest {

    private static final String WRITTEN = "{\"id\":\"/db/Item/0-0\",\"n\":1}";

    @Test
    void unansweredWrite_stored_isDone() throws Exception {
        assertThat(isPossibleAfterwards(200, WRITTEN, false)).isTrue();
    }

    @Test
    void unansweredWrite_notStored_isNeverRead() throws Exception {
        assertThat(isPossibleAfterwards(404, "{}", false)).isFalse();
    }

    /** Others may have read it meanwhile, and their reports may still be under way. */
    @Test
    void unansweredWrite_runHasEnded_mayBeDone() throws Exception {
        assertThat(isPossibleAfterwards(404, "{}", true)).isTrue();
    }

    /** Returns whether a reader of the new state reads a possible state. */
    private static boolean isPossibleAfterwards(int status, String body, boolean isOver) throws Exception {
        try (Proxy proxy = new Proxy(0)) {
            proxy.rule((request, upstream) -> answer(request, status, body));
            RunContext world = new RunContext(new OneProxy(proxy.port()), 1, 1);
            Resource object = world.group(0).objects().get(0);
            if (isOver) {
                world.end();
            }
            new ObjectWriter(world, new HttpConnection(proxy.port()))
                    .write(WriteMode.REPLACE, world.group(0), object, false);
            return object.history()
                            .find("1", Long.MIN_VALUE, 0, System.nanoTime())
                            .index()
                    > 0;
        }
    }

    private static Message answer(Message request, int status, String body) throws IOException {
        if (!request.method().equals("GET")) {
            throw new IOException("no answer");
        }
        return Message.empty(status).withBody(body);
    }

    private record OneProxy(int serverPort) implements ServiceEndpoints {

        @Override
        public int readerPort() {
            return serverPort;
        }

        @Override
        public String newClass() {
            return "Item";
        }

        @Override
        public Duration aftermath() {
            return Duration.ZERO;
        }
    }
}
