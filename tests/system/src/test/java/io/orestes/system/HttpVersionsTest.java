package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.http.ErrorForm;
import io.orestes.support.http.RawHttp;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * One port, three protocols: HTTP/1.1, HTTP/2 by upgrade (RFC 7540 §3.2), HTTP/2 with prior
 * knowledge (RFC 9113 §3.3).
 */
@ExtendWith(SharedBackend.class)
final class HttpVersionsTest {

    private static final int PATIENCE_MILLIS = 30_000;
    private static final byte HEADERS = 1;
    private static final byte SETTINGS = 4;

    /** The flag of a head that starts with five bytes about the stream's priority. */
    private static final int PRIORITY = 0x20;

    private static final byte END_STREAM_AND_HEADERS = 5;

    /**
     * The first byte of a header block that starts with {@code :status: 200} (RFC 7541, appendix
     * A).
     */
    private static final int STATUS_200 = 0x88;

    private static final int STATUS_400 = 0x8c;

    private final Backend backend;
    private String id = "";

    HttpVersionsTest(Backend backend) {
        this.backend = backend;
    }

    @BeforeEach
    void createObject() {
        id = backend.anonymous().insert(backend.newClass("text", "String"), "{\"text\":\"a\"}");
    }

    @Test
    void http11_isSupported() {
        Answer answer = backend.anonymous().get(id);

        assertThat(answer.version()).isEqualTo(Version.HTTP_1_1);
        assertThat(answer.status()).isEqualTo(200);
    }

    @Test
    void http10WithoutHost_isAnswered() throws Exception {
        assertThat(RawHttp.exchange(backend.server().base(), "GET /v1/-/ready HTTP/1.0\r\n\r\n"))
                .startsWith("HTTP/1.");
    }

    @Test
    void http2_byUpgrade_servesCachedAndUncachedAnswersAndErrors() {
        HttpClient http2 = HttpClient.newBuilder().version(Version.HTTP_2).build();
        Client client = backend.anonymous();

        for (int i = 0; i < 3; i++) {
            Answer answer = Client.exchange(http2, client.request(id).build());

            assertThat(answer.version()).isEqualTo(Version.HTTP_2);
            assertThat(answer.object()).isEqualTo(client.get(id).object());
        }
        Answer missing = Client.exchange(http2, client.request(id + "missing").build());
        assertThat(missing.version()).isEqualTo(Version.HTTP_2);
        assertThat(missing.status()).isEqualTo(404);
        ErrorForm.check(missing);
    }

    @Test
    void http2_withPriorKnowledge_isSupported() throws Exception {
        assertThat(firstByteOfAnswer(request("/v1" + id))).isEqualTo(STATUS_200);
    }

    /** Such a request has no path, and in an earlier version got no answer. */
    @Test
    void http2_connect_is400() throws Exception {
        assertThat(firstByteOfAnswer(connect())).isEqualTo(STATUS_400);
    }

    private int firstByteOfAnswer(byte[] headers) throws IOException {
        URI base = backend.server().base();
        try (Socket socket = new Socket(base.getHost(), base.getPort())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            OutputStream out = socket.getOutputStream();
            out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            out.write(frame(SETTINGS, (byte) 0, 0, new byte[0]));
            out.write(frame(HEADERS, END_STREAM_AND_HEADERS, 1, headers));
            out.flush();
            return firstByteOfHeaders(new DataInputStream(socket.getInputStream()));
        }
    }

    /**
     * Returns a header block for {@code GET http://x<path>} without compression of the path (RFC
     * 7541 §6).
     */
    private static byte[] request(String path) throws IOException {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        block.write(0x82);
        block.write(0x86);
        literal(block, 0x04, path);
        literal(block, 0x01, "x");
        return block.toByteArray();
    }

    /** Returns a header block for {@code CONNECT x} (RFC 9113 §8.5). */
    private static byte[] connect() throws IOException {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        literal(block, 0x02, "CONNECT");
        literal(block, 0x01, "x");
        return block.toByteArray();
    }

    private static void literal(ByteArrayOutputStream block, int name, String value) throws IOException {
        block.write(name);
        block.write(value.length());
        block.write(value.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] frame(byte type, byte flags, int stream, byte[] payload) throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.write(new byte[] {0, (byte) (payload.length >> 8), (byte) payload.length, type, flags});
        frame.write(new byte[] {0, 0, 0, (byte) stream});
        frame.write(payload);
        return frame.toByteArray();
    }

    /** Reads frames up to the head of the answer. */
    private static int firstByteOfHeaders(DataInputStream in) throws IOException {
        while (true) {
            int length = (in.readUnsignedByte() << 16) | in.readUnsignedShort();
            int type = in.readUnsignedByte();
            byte[] rest = new byte[5 + length];
            in.readFully(rest);
            if (type == HEADERS) {
                return rest[(rest[0] & PRIORITY) == 0 ? 5 : 10] & 0xff;
            }
        }
    }
}
