package io.orestes.support.zookeeper;

import io.orestes.support.process.ExecutionContext;
import io.orestes.support.process.Ports;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How an {@link Ensemble} runs: by default as three servers on free ports of the loopback, which do
 * not wait for the disk. Its ticks of 500 ms allow sessions of 1 to 10 s.
 */
public final class EnsembleBuilder {

    private static final String JAR = "ORESTES_TEST_ZOOKEEPER";
    private static final int SIZE = 3;

    private final Path folder;
    private final Map<String, String> settings = new LinkedHashMap<>(Map.of(
            "tickTime", "500",
            "initLimit", "40",
            "syncLimit", "20",
            "forceSync", "no",
            "admin.enableServer", "false",
            "4lw.commands.whitelist", "srvr,dump"));
    private @Nullable String jar = System.getenv(JAR);
    private List<EnsembleMember> members = List.of();

    EnsembleBuilder(Path folder) {
        this.folder = folder;
    }

    /** Sets the jar that names the others, {@code ORESTES_TEST_ZOOKEEPER} by default. */
    public EnsembleBuilder jar(String path) {
        jar = path;
        return this;
    }

    /** Sets a line of {@code zoo.cfg}. */
    public EnsembleBuilder setting(String key, String value) {
        settings.put(key, value);
        return this;
    }

    /** Sets the places of all servers. */
    public EnsembleBuilder members(List<EnsembleMember> places) {
        members = List.copyOf(places);
        return this;
    }

    /** Starts all servers, and waits until they serve. */
    public Ensemble start() {
        if (members.isEmpty()) {
            members = onLoopback();
        }
        Ensemble ensemble = new Ensemble(this);
        try {
            ensemble.startAll();
            return ensemble;
        } catch (RuntimeException | AssertionError failure) {
            ensemble.close();
            throw failure;
        }
    }

    private static List<EnsembleMember> onLoopback() {
        List<Integer> ports = Ports.free(3 * SIZE);
        return IntStream.range(0, SIZE)
                .mapToObj(number -> new EnsembleMember(
                        "127.0.0.1",
                        ports.get(number),
                        ports.get(SIZE + number),
                        ports.get(2 * SIZE + number),
                        ExecutionContext.HERE))
                .toList();
    }

    Path folder() {
        return folder;
    }

    String jar() {
        if (jar == null) {
            throw new IllegalStateException(JAR + " is not set; the script run of the suite sets it");
        }
        return jar;
    }

    List<EnsembleMember> members() {
        return members;
    }

    /** Returns the text of a server's {@code zoo.cfg}. */
    String configuration(int number, Path home) {
        EnsembleMember own = members.get(number);
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.put("dataDir", home.toString());
        all.put("clientPortAddress", own.host());
        all.put("clientPort", String.valueOf(own.clientPort()));
        for (int peer = 0; peer < members.size(); peer++) {
            EnsembleMember place = members.get(peer);
            all.put(
                    "server." + (peer + 1),
                    "%s:%d:%d".formatted(place.host(), place.followerPort(), place.electionPort()));
        }
        return all.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue() + "\n")
                .collect(Collectors.joining());
    }
}
