package io.orestes.bench.client;

import io.orestes.bench.harness.Documents;
import io.orestes.bench.harness.Figure;
import io.orestes.bench.harness.Goal;
import io.orestes.bench.harness.Orestes;
import io.orestes.bench.harness.Samples;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonDocument;

/**
 * One write after the other, by servers of a group in turn: replaces of 1 KB objects, and commits
 * of transactions that have read five of them and replace two others. These objects have no other
 * writer. Not thread-safe.
 */
public final class SingleWrites implements AutoCloseable {

    private static final int OBJECTS = 1_000;
    private static final int READS = 5;
    private static final int WRITES = 2;

    private final List<Caller> servers = new ArrayList<>();
    private final long[] versions = new long[OBJECTS];
    private int turn;

    /** Creates the objects. */
    public SingleWrites(List<Orestes> group) throws IOException, InterruptedException {
        Orestes any = group.get(0);
        any.createClass(Documents.ITEM, Documents.itemFields());
        any.importAll(
                Documents.ITEM,
                IntStream.range(0, OBJECTS)
                        .mapToObj(number -> Documents.item("w" + number, 0, 1024))
                        .toList());
        for (Orestes server : group) {
            servers.add(new Caller(server.port()));
        }
        Arrays.fill(versions, 1);
    }

    /** Replaces an object, and returns the duration in milliseconds. */
    double replace() throws IOException {
        return replace(next(1), server());
    }

    /**
     * Replaces an object of which another server, if there is one, has just delivered a copy, so
     * that it has to invalidate it; returns the duration in milliseconds.
     */
    public double invalidate() throws IOException {
        int number = next(1);
        String unused = servers.get((turn + 1) % servers.size()).send(200, "GET", id(number), "");
        return replace(number, server());
    }

    private double replace(int number, Caller server) throws IOException {
        String body = Documents.item("w" + number, turn, 1024);
        long begin = System.nanoTime();
        String unused = server.send(200, "PUT", id(number), body);
        double millis = (System.nanoTime() - begin) / 1e6;
        versions[number]++;
        return millis;
    }

    /**
     * Begins a transaction and commits it, and returns the duration of the commit alone in
     * milliseconds.
     */
    double commit() throws IOException {
        int first = next(READS + WRITES);
        Caller server = server();
        String tid = BsonDocument.parse(server.send(201, "POST", "/transaction", ""))
                .getString("tid")
                .getValue();
        String body = body(first);
        long begin = System.nanoTime();
        String unused = server.send(200, "PUT", "/transaction/" + tid + "/committed", body);
        double millis = (System.nanoTime() - begin) / 1e6;
        IntStream.range(first, first + WRITES).forEach(number -> versions[number]++);
        return millis;
    }

    /**
     * Compares commits with replaces, alternating, and returns the figure of their medians.
     *
     * @param warmUp number of uncounted rounds of both, before the counted ones
     */
    public Figure compareCommitWithReplace(String id, int warmUp, int rounds, Goal goal) throws IOException {
        Samples commits = new Samples();
        Samples replaces = new Samples();
        for (int i = 0; i < warmUp + rounds; i++) {
            double commit = commit();
            double replace = replace();
            if (i >= warmUp) {
                commits.add(commit);
                replaces.add(replace);
            }
        }
        String against = String.format(
                "medians: commit of 5 reads and 2 writes %.2f ms, replace %.2f ms; one at a time",
                commits.median(), replaces.median());
        return new Figure(id, commits.median() / replaces.median(), "ratio", goal, against);
    }

    private String body(int first) {
        String writes = IntStream.range(first, first + WRITES)
                .mapToObj(number -> Documents.item("w" + number, turn, 1024)
                        .replaceFirst("\\{", "{\"version\":" + versions[number] + ","))
                .collect(Collectors.joining(","));
        String reads = IntStream.range(first + WRITES, first + WRITES + READS)
                .mapToObj(number -> "{\"oid\":\"" + id(number) + "\",\"version\":" + versions[number] + "}")
                .collect(Collectors.joining(","));
        return "{\"readSet\":[" + reads + "],\"writeSet\":[" + writes + "]}";
    }

    /** Returns the first of the next objects. */
    private int next(int count) {
        turn++;
        return (turn * (READS + WRITES)) % (OBJECTS - count);
    }

    private Caller server() {
        return servers.get(turn % servers.size());
    }

    private static String id(int number) {
        return "/db/" + Documents.ITEM + "/w" + number;
    }

    @Override
    public void close() throws IOException {
        for (Caller server : servers) {
            server.close();
        }
    }
}
