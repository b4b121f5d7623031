package io.orestes.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
record Wrk(String program) {

    static final int CONNECTIONS = 64;

    private static final Pattern RATE = Pattern.compile("Requests/sec:\\s+([\\d.]+)");

    /** Returns wrk as installed, or a freshly installed one. */
    static Wrk find(BenchmarkEnvironment lab) throws IOException, InterruptedException {
        return new Wrk(lab.tool("wrk"));
    }

    /**
     * Returns the requests answered per second; fails if any answer is an error.
     *
     * @param options further ones, e.g. a header or a script
     */
    double rate(int seconds, String url, String... options) throws IOException, InterruptedException {
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
