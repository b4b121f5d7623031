package io.orestes.bench.live;

import io.orestes.bench.harness.Latencies;

/**
 * Finds time stamps in the data of a connection, however they are split: {@code ~}, then digits.
 * Everything between them is skipped, so that a message costs the client little.
 */
final class StampScanner {

    /**
     * First character of a time stamp; elsewhere only in heads of WebSocket frames, but never
     * before a digit.
     */
    static final char STAMP = '~';

    /**
     * Character that occurs once in the answer to each subscription over a WebSocket, and nowhere
     * else.
     */
    static final char SUBSCRIBED = '#';

    private boolean inStamp;
    private long stamp;
    private long bytes;
    private int subscribed;

    void scan(byte[] received, int length, long now, Latencies latencies) {
        bytes += length;
        for (int i = 0; i < length; i++) {
            byte octet = received[i];
            if (inStamp) {
                inStamp = digit(octet, now, latencies);
            } else if (octet == STAMP) {
                inStamp = true;
                stamp = 0;
            } else if (octet == SUBSCRIBED) {
                subscribed++;
            }
        }
    }

    private boolean digit(byte octet, long now, Latencies latencies) {
        if (octet >= '0' && octet <= '9') {
            stamp = stamp * 10 + (octet - '0');
            return true;
        }
        if (stamp > 0) {
            latencies.addNanos(now - stamp);
        }
        return false;
    }

    long bytes() {
        return bytes;
    }

    int subscribed() {
        return subscribed;
    }
}
