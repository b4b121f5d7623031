import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Sums the results of a test run: {@code java Report.java <folder>} where the folder holds one folder per suite, with its
 * JUnit XML below {@code reports}, its {@code log}, {@code exit-code} and {@code seconds}. Prints every failure, a line per
 * suite, and last {@code N passed, N failed}. A skipped test counts as failed; so does a suite that brought no results, that
 * hung, or that ended with an exit code no failed test explains. Exit code 0 only if nothing failed and something passed.
 */
final class Report {

    private static final int LOG_LINES = 60;

    private final PrintStream out;
    private int passed;
    private int failed;

    private Report(PrintStream out) {
        this.out = out;
    }

    public static void main(String[] args) throws IOException {
        Report report = new Report(new PrintStream(System.out, true, UTF_8));
        List<String> table = new ArrayList<>();
        for (Path suite : children(Path.of(args[0]))) {
            table.add(report.add(suite));
        }
        table.forEach(report.out::println);
        report.out.printf("%d passed, %d failed%n", report.passed, report.failed);
        System.exit(report.failed == 0 && report.passed > 0 ? 0 : 1);
    }

    /** Counts one suite, prints what failed in it, and returns its line of the table. */
    private String add(Path home) throws IOException {
        Suite suite = Suite.read(home);
        suite.failures().forEach(failure -> out.printf("FAILED %s%n%s%n", failure.name(), failure.text()));
        passed += suite.passed();
        failed += suite.failures().size();
        return "%-12s %6d passed %6d failed %6s s"
                .formatted(suite.name(), suite.passed(), suite.failures().size(), suite.seconds());
    }

    private static List<Path> children(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(Files::isDirectory).sorted().toList();
        }
    }

    /** One test or suite that did not pass, and why. */
    private record Failure(String name, String text) {}

    /** The results of one suite. */
    private record Suite(String name, int passed, List<Failure> failures, String seconds) {

        static Suite read(Path home) throws IOException {
            Results results = new Results();
            for (Path file : xmlBelow(home.resolve("reports"))) {
                results.read(file);
            }
            String name = home.getFileName().toString();
            results.accountFor(name, line(home.resolve("exit-code")), home.resolve("log"));
            return new Suite(name, results.passed, results.failures, line(home.resolve("seconds")));
        }

        private static List<Path> xmlBelow(Path folder) throws IOException {
            if (!Files.isDirectory(folder)) {
                return List.of();
            }
            try (Stream<Path> files = Files.walk(folder)) {
                return files.filter(file -> file.toString().endsWith(".xml")).sorted().toList();
            }
        }

        private static String line(Path file) throws IOException {
            return Files.isRegularFile(file) ? Files.readString(file).strip() : "-";
        }
    }

    /** Collects the test cases of JUnit XML files, whatever suites they are nested in. */
    private static final class Results {

        private final List<Failure> failures = new ArrayList<>();
        private int passed;

        void read(Path file) throws IOException {
            try (InputStream in = Files.newInputStream(file)) {
                readCases(factory().createXMLStreamReader(in));
            } catch (XMLStreamException e) {
                failures.add(new Failure(file.getFileName().toString(), "cannot be read: " + e.getMessage()));
            }
        }

        private static XMLInputFactory factory() {
            XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
            factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
            return factory;
        }

        private void readCases(XMLStreamReader xml) throws XMLStreamException {
            while (xml.hasNext()) {
                if (xml.next() == XMLStreamReader.START_ELEMENT && xml.getLocalName().equals("testcase")) {
                    readCase(xml);
                }
            }
        }

        private void readCase(XMLStreamReader xml) throws XMLStreamException {
            String name = attribute(xml, "classname") + " " + attribute(xml, "name");
            List<String> faults = faultsUntilEnd(xml);
            if (faults.isEmpty()) {
                passed++;
            } else {
                failures.add(new Failure(name.strip(), String.join("\n", faults)));
            }
        }

        private static List<String> faultsUntilEnd(XMLStreamReader xml) throws XMLStreamException {
            List<String> faults = new ArrayList<>();
            while (!(xml.next() == XMLStreamReader.END_ELEMENT && xml.getLocalName().equals("testcase"))) {
                if (xml.isStartElement()) {
                    switch (xml.getLocalName()) {
                        case "failure", "error" -> faults.add(fault(xml));
                        case "skipped" -> faults.add("was skipped: " + attribute(xml, "message"));
                        default -> {}
                    }
                }
            }
            return faults;
        }

        private static String fault(XMLStreamReader xml) throws XMLStreamException {
            String message = attribute(xml, "message");
            String text = xml.getElementText().strip();
            return text.contains(message) ? text : message + "\n" + text;
        }

        private static String attribute(XMLStreamReader xml, String name) {
            String value = xml.getAttributeValue(null, name);
            return value == null ? "" : value;
        }

        /** A suite that did not end well, or says nothing, has failed even if none of its tests has. */
        void accountFor(String suite, String exitCode, Path log) throws IOException {
            if (exitCode.equals("-")) {
                failures.add(new Failure(suite, "did not run: there was nothing built to run it on"));
            } else if (exitCode.equals("hung")) {
                failures.add(new Failure(suite, "took too long and was ended; its output ends:\n" + tail(log)));
            } else if (!exitCode.equals("0") && failures.isEmpty()) {
                failures.add(new Failure(suite, "ended with exit code " + exitCode + "; its output ends:\n" + tail(log)));
            } else if (passed + failures.size() == 0) {
                failures.add(new Failure(suite, "brought no results; its output ends:\n" + tail(log)));
            }
        }

        private static String tail(Path log) throws IOException {
            if (!Files.isRegularFile(log)) {
                return "";
            }
            List<String> lines = new String(Files.readAllBytes(log), UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("[ERROR] \tat "))
                    .toList();
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
        }
    }
}
