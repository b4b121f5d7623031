package io.orestes.auth.password;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Scanner;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;

/**
 * Password hashes alone, in a process of its own: one thread per processor checks one after the
 * other, with the function, the cost and the priority of the server. In this package since other
 * packages must not hash.
 */
public final class HashPeer {

    private static final String PASSWORD = "bench";

    private HashPeer() {}

    /** Answers every line, a number of seconds, with the checks per second. */
    public static void main(String[] arguments) throws InterruptedException {
        Argon2 argon = Argon2.fastest();
        PasswordHash hash = PasswordHash.of(PASSWORD, AuthConfig.DEFAULT, new SecureRandom(), argon);
        Scanner lines = new Scanner(System.in, StandardCharsets.UTF_8);
        while (lines.hasNextLine()) {
            System.out.println(rate(Integer.parseInt(lines.nextLine()), hash, argon));
        }
        System.exit(0);
    }

    private static double rate(int seconds, PasswordHash hash, Argon2 argon) throws InterruptedException {
        int threads = Runtime.getRuntime().availableProcessors();
        CountDownLatch ended = new CountDownLatch(threads);
        LongAdder done = new LongAdder();
        long begin = System.nanoTime();
        long end = begin + seconds * 1_000_000_000L;
        for (int i = 0; i < threads; i++) {
            new Thread(() -> {
                        check(end, hash, argon, done);
                        ended.countDown();
                    })
                    .start();
        }
        ended.await();
        return done.sum() * 1e9 / (System.nanoTime() - begin);
    }

    private static void check(long end, PasswordHash hash, Argon2 argon, LongAdder done) {
        while (System.nanoTime() < end) {
            if (!hash.matches(PASSWORD, argon)) {
                throw new IllegalStateException("A hash is not that of its password");
            }
            done.increment();
        }
    }
}
