package io.orestes.bench.harness;

import io.orestes.support.mongo.Mongod;
import io.orestes.support.process.Ports;
import io.orestes.support.varnish.Varnish;
import io.orestes.support.zookeeper.Ensemble;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * The environment of benchmarks: the product under test and a scratch folder, which is removed at
 * the end.
 *
 * @param root the repository
 */
public record BenchmarkEnvironment(Path root, Path scratch) implements AutoCloseable {

    /** Secret of purges by the servers of benchmarks. */
    public static final String PURGE_SECRET = "bench";

    public static BenchmarkEnvironment open() throws IOException {
        return new BenchmarkEnvironment(
                Path.of(System.getProperty("orestes.root", "."))
                        .toAbsolutePath()
                        .normalize(),
                Files.createTempDirectory("orestes-bench"));
    }

    /** Returns the path of a folder that does not exist yet. */
    public Path folder(String purpose) throws IOException {
        return Files.createTempDirectory(scratch, purpose).resolve("data");
    }

    /**
     * Returns the path that {@code tests/env/<name>.sh} prints: of a program that benchmarks need
     * and the product does not include, installed if it was absent.
     */
    public String tool(String name) throws IOException, InterruptedException {
        Process finding = new ProcessBuilder(
                        root.resolve("tests/env/" + name + ".sh").toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String path = new String(finding.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (finding.waitFor() != 0) {
            throw new IOException("There is no " + name);
        }
        return path;
    }

    /** Starts a mongod, a replica set of one, and waits until it takes writes. */
    public Mongod mongod() throws IOException, InterruptedException {
        return Mongod.in(folder("mongod"))
                .program(tool("mongod"))
                .replicaSet("rs0")
                .flags("--oplogSize=512", "--wiredTigerCacheSizeGB=0.5")
                .start();
    }

    /** Starts a ZooKeeper ensemble of three that waits for the disk. */
    Ensemble zooKeeper() throws IOException, InterruptedException {
        return Ensemble.in(folder("zookeeper"))
                .jar(tool("zookeeper"))
                .setting("forceSync", "yes")
                .start();
    }

    /** Starts a Varnish with our VCL on a free port in front of a port of this machine. */
    public Varnish varnish(int backend) throws IOException, InterruptedException {
        return varnish(Ports.free(), backend);
    }

    /** Starts a Varnish on a given port. */
    public Varnish varnish(int port, int backend) throws IOException, InterruptedException {
        return Varnish.inFrontOf(root, "127.0.0.1:" + backend)
                .listensOn(port)
                .purgeSecret(PURGE_SECRET)
                .program(tool("varnish"))
                .start();
    }

    /** Prints progress of what takes long. */
    public static void say(String text) {
        System.err.println("orestes: " + text);
    }

    /** Removes a folder with its contents, as far as possible. */
    static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            say(folder + " could not be removed: " + e);
        }
    }

    @Override
    public void close() {
        delete(scratch);
    }
}
