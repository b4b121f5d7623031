package io.orestes.bench.live;

import io.orestes.bench.client.Pipelined;
import io.orestes.bench.harness.Orestes;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Requests of clients of live queries. */
final class LiveRequests {

    /** Class of the objects written. */
    static final String LIVE = "Live";

    /** Exclusive upper bound of the field that ranges select by. */
    static final int RANGE = 10_000;

    private LiveRequests() {}

    static Orestes.Field[] fields() {
        return new Orestes.Field[] {new Orestes.Field("sent", "String"), new Orestes.Field("random", "Double")};
    }

    /** Returns a replacement of one of 1,000 objects. */
    static String replace(int number, String stamp) {
        return put("r" + number % 1000, number, stamp, "");
    }

    /** Returns an insertion of an object. */
    static String insert(int number, String stamp) {
        return put("i" + number, number, stamp, "");
    }

    /**
     * Returns a write whose body is as long as Orestes' message about it, for a server that only
     * forwards it.
     */
    static String padded(int number, String stamp, int bytes) {
        return put("r" + number % 1000, number, stamp, "x".repeat(Math.max(0, bytes - 80)));
    }

    private static String put(String key, int number, String stamp, String padding) {
        double random = (number * 7919L % RANGE) + 0.5;
        String body = "{\"sent\":\"" + stamp + "\",\"random\":" + random
                + (padding.isEmpty() ? "" : ",\"padding\":\"" + padding + "\"") + "}";
        return "PUT /v1/db/" + LIVE + "/" + key + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: " + body.length() + "\r\n\r\n" + body;
    }

    /** Returns a subscription to all objects over SSE. */
    static String eventStream() {
        String everything = URLEncoder.encode("{\"random\":{\"$gte\":0}}", StandardCharsets.UTF_8);
        return Pipelined.get("/v1/db/" + LIVE + "/events?initial=false&q=" + everything);
    }

    /** Returns a subscription to one range of length 1 over SSE. */
    static String eventStream(int from) {
        String range = URLEncoder.encode(
                "{\"random\":{\"$gte\":" + from + ",\"$lt\":" + (from + 1) + "}}", StandardCharsets.UTF_8);
        return Pipelined.get("/v1/db/" + LIVE + "/events?initial=false&q=" + range);
    }

    /** Returns the request of a WebSocket (RFC 6455 §4.1). */
    static String webSocket() {
        return """
                GET /v1/events HTTP/1.1
                Host: localhost
                Upgrade: websocket
                Connection: Upgrade
                Sec-WebSocket-Version: 13
                Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==

                """
                .replace("\n", "\r\n");
    }

    /** Returns a frame that subscribes to one range of length 1. */
    static ByteBuffer subscribeRange(int from) {
        String message =
                "{\"id\":\"" + StampScanner.SUBSCRIBED + from + "\",\"type\":\"subscribe\",\"bucket\":\"" + LIVE
                        + "\",\"query\":\"{\\\"random\\\":{\\\"$gte\\\":" + from + ",\\\"$lt\\\":" + (from + 1)
                        + "}}\",\"initial\":false}";
        return frame(message.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns a text frame of fewer than 64 KB, masked with zeros (RFC 6455 §5.2). */
    private static ByteBuffer frame(byte[] payload) {
        ByteBuffer frame = ByteBuffer.allocate(8 + payload.length).put((byte) 0x81);
        if (payload.length < 126) {
            frame.put((byte) (0x80 | payload.length));
        } else {
            frame.put((byte) (0x80 | 126)).putShort((short) payload.length);
        }
        return frame.putInt(0).put(payload).flip();
    }
}
