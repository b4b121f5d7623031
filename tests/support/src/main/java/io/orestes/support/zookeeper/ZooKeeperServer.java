package io.orestes.support.zookeeper;

import io.orestes.support.process.ExternalProgram;
import io.orestes.support.process.Folders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A server of an ensemble, in a process of its own. */
final class ZooKeeperServer {

    private static final int ANSWER_MILLIS = 1_000;

    private final EnsembleMember place;
    private final ExternalProgram process;

    /** Creates a server that is not started yet. */
    ZooKeeperServer(EnsembleBuilder options, int number) {
        place = options.members().get(number);
        Path home =
                Folders.created(options.folder().resolve("zookeeper" + number).toAbsolutePath());
        Path configuration = home.resolve("zoo.cfg");
        write(home.resolve("myid"), Integer.toString(number + 1));
        write(configuration, options.configuration(number, home));
        process = new ExternalProgram(
                place.context(),
                home,
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        options.jar(),
                        "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                        configuration.toString()));
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    ExternalProgram process() {
        return process;
    }

    boolean serves() {
        return isMode("leader") || isMode("follower");
    }

    boolean isMode(String mode) {
        return ask("srvr").contains("Mode: " + mode);
    }

    /** Returns the answer to a command of four letters; empty if there is none. */
    String ask(String command) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(place.host(), place.clientPort()), ANSWER_MILLIS);
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.getOutputStream().write(command.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException notServing) {
            return "";
        }
    }
}
