package io.orestes.support.mongo;

import io.orestes.support.process.ExecutionContext;
import io.orestes.support.process.ExternalProgram;
import io.orestes.support.process.Folders;
import io.orestes.support.process.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link Mongod} runs: by default standalone, on a free port of the loopback, without
 * passwords.
 */
public final class MongodBuilder {

    private static final String PROGRAM = "ORESTES_TEST_MONGOD";

    private final Path folder;
    private @Nullable String program = System.getenv(PROGRAM);
    private ExecutionContext context = ExecutionContext.HERE;
    private String host = "127.0.0.1";
    private int port;
    private @Nullable String replicaSet;
    private boolean waitsForDisk = true;
    private boolean asksForPassword;
    private List<String> flags = List.of();

    MongodBuilder(Path folder) {
        this.folder = folder;
    }

    /** Sets the path of the program, which is {@code ORESTES_TEST_MONGOD} by default. */
    public MongodBuilder program(String path) {
        program = path;
        return this;
    }

    public MongodBuilder context(ExecutionContext value) {
        context = value;
        return this;
    }

    /** Sets the address and the port that it listens on. */
    public MongodBuilder listensOn(String address, int number) {
        host = address;
        port = number;
        return this;
    }

    /** Sets the name of the replica set that it is a member of. */
    public MongodBuilder replicaSet(String name) {
        replicaSet = name;
        return this;
    }

    /** Has a majority acknowledge writes that are not on the disk yet. */
    public MongodBuilder withoutWaitingForDisk() {
        waitsForDisk = false;
        return this;
    }

    /** Requires a password of clients, and a key of members of a replica set. */
    public MongodBuilder withPassword() {
        asksForPassword = true;
        return this;
    }

    /** Adds flags, such as {@link Mongod#FAIL_POINTS}. They replace default ones of one name. */
    public MongodBuilder flags(String... values) {
        flags = List.of(values);
        return this;
    }

    /**
     * Starts the server, and waits until it takes writes: as a replica set of one if it has the
     * name of a set.
     */
    public Mongod start() {
        Mongod mongod = launch();
        try {
            mongod.prepare();
            return mongod;
        } catch (RuntimeException | AssertionError failure) {
            mongod.close();
            throw failure;
        }
    }

    /** Starts the server without waiting. */
    public Mongod launch() {
        if (port == 0) {
            port = Ports.free();
        }
        ExternalProgram process = new ExternalProgram(context, Folders.created(folder), command());
        process.start();
        return new Mongod(this, process);
    }

    private List<String> command() {
        if (program == null) {
            throw new IllegalStateException(PROGRAM + " is not set; the script run of the suite sets it");
        }
        List<String> command = new ArrayList<>(List.of(program));
        defaults().filter(this::isNotReplaced).forEach(command::add);
        command.addAll(flags);
        return command;
    }

    private Stream<String> defaults() {
        Stream<String> all = Stream.of(
                "--dbpath=" + folder.toAbsolutePath(),
                "--port=" + port,
                "--bind_ip=" + host,
                "--nounixsocket",
                "--wiredTigerCacheSizeGB=0.25",
                "--setParameter=diagnosticDataCollectionEnabled=false");
        if (replicaSet != null) {
            all = Stream.concat(all, Stream.of("--replSet=" + replicaSet, "--oplogSize=64"));
        }
        return asksForPassword ? Stream.concat(all, Stream.of(accessControl())) : all;
    }

    private boolean isNotReplaced(String flag) {
        String name = flag.substring(0, flag.lastIndexOf('=') + 1);
        return name.isEmpty() || flags.stream().noneMatch(own -> own.startsWith(name));
    }

    private String accessControl() {
        return replicaSet == null
                ? "--auth"
                : "--keyFile=" + writeKey(folder.resolve("key").toAbsolutePath());
    }

    /** Writes the key in base64. The server refuses one that others may read. */
    private static Path writeKey(Path file) {
        try {
            Files.writeString(file, "ofAReplicaSetOfOne");
            return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path folder() {
        return folder;
    }

    int port() {
        return port;
    }

    /** Returns address and port. */
    String host() {
        return host + ":" + port;
    }

    @Nullable
    String replicaSet() {
        return replicaSet;
    }

    boolean waitsForDisk() {
        return waitsForDisk;
    }

    boolean asksForPassword() {
        return asksForPassword;
    }
}
