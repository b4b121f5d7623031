package io.orestes.bench.client;

import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Documents;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The load generator wrk with one thread and 64 keep-alive connections, one request under way on
 * each.
 *
 * @param program its path
 */
public record Wrk(String program) {

    public static final int CONNECTIONS = 64;

    private static final Pattern RATE = Pattern.compile("Requests/sec:\\s+([\\d.]+)");

    /** Returns wrk as installed, or a freshly installed one. */
    public static Wrk find(BenchmarkEnvironment lab) throws IOException, InterruptedException {
        return new Wrk(lab.tool("wrk"));
    }

    /**
     * Writes a script that replaces {@link Documents#WRITTEN_ITEMS} objects in turn. It creates all
     * requests beforehand, so that the load generator has little to do.
     */
    public static Path writeReplaceScript(BenchmarkEnvironment lab) throws IOException {
        Path script = lab.scratch().resolve("put.lua");
        Files.writeString(
                script,
                """
                local requests, at = {}, 0
                function init(args)
                  local headers = { ["Content-Type"] = "application/json" }
                  for i = 0, %1$d - 1 do
                    local body = string.gsub('%2$s', "@", "w" .. i)
                    requests[i] = wrk.format("PUT", "/v1/db/%3$s/w" .. i, headers, body)
                  end
                end
                function request()
                  at = (at + 1) %% %1$d
                  return requests[at]
                end
                """
                        .formatted(Documents.WRITTEN_ITEMS, Documents.item("@", 0, 1024), Documents.ITEM));
        return script;
    }

    /**
     * Returns the requests answered per second; fails if any answer is an error.
     *
     * @param options further ones, e.g. a header or a script
     */
    public double rate(int seconds, String url, String... options) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(program, "-t1", "-c" + CONNECTIONS, "-d" + seconds + "s", "--timeout", "30s"));
        command.addAll(List.of(options));
        command.add(url);
        String report = run(command);
        Matcher rate = RATE.matcher(report);
        if (!rate.find() || report.contains("Non-2xx") || report.contains("Socket errors")) {
            throw new IOException("wrk met errors at " + url + ":\n" + report);
        }
        return Double.parseDouble(rate.group(1));
    }

    private static String run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(command + " failed:\n" + output);
        }
        return output;
    }
}
