import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Summarises a test run. {@code java Report.java <folder>} reads one folder per suite: JUnit XML
 * below {@code reports}, {@code log}, {@code exit-code}, {@code seconds}, and {@code times} as Bash
 * prints them. It prints every failure with the command that repeats it, a line per suite, the
 * slowest classes, and last {@code N passed, N failed}. A skipped test counts as failed. So does a
 * suite without results, one that hung, and one whose exit code no failed test explains. If the
 * folder has a file {@code chosen}, a skipped test is one that was not chosen. The exit code is 0
 * only if nothing failed and something passed.
 */
final class Report {

    private static final int LOG_LINES = 60;
    private static final int SLOWEST_CLASSES = 10;

    /** Name of the file beside the suites which marks a run of chosen tests. */
    private static final String CHOSEN = "chosen";

    private final PrintStream out;
    private final List<Timed> classes = new ArrayList<>();
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
        report.printSlowestClasses();
        report.out.printf("%d passed, %d failed%n", report.passed, report.failed);
        System.exit(report.failed == 0 && report.passed > 0 ? 0 : 1);
    }

    /** Counts one suite, prints what failed in it, and returns its line of the table. */
    private String add(Path home) throws IOException {
        Suite suite = Suite.read(home);
        suite.failures().forEach(failure -> print(suite, failure));
        passed += suite.passed();
        failed += suite.failures().size();
        classes.addAll(suite.classes());
        return "%-12s %6d passed %6d failed %6s s %6s s of processors"
                .formatted(
                        suite.name(),
                        suite.passed(),
                        suite.failures().size(),
                        suite.seconds(),
                        suite.processorSeconds());
    }

    private void print(Suite suite, Failure failure) {
        out.printf("FAILED %s%n%s%n", failure.name(), failure.text());
        String test = failure.selector().isEmpty() ? "" : " '" + failure.selector().replace("'", "'\\''") + "'";
        out.printf("repeat it: ./orestes test %s%s%n", suite.name(), test);
    }

    private void printSlowestClasses() {
        List<Timed> slowest = classes.stream()
                .sorted(Comparator.comparingDouble(Timed::seconds).reversed())
                .limit(SLOWEST_CLASSES)
                .toList();
        if (!slowest.isEmpty()) {
            out.println("slowest:");
            slowest.forEach(
                    each -> out.printf(Locale.ROOT, "%8.1f s  %s %s%n", each.seconds(), each.suite(), each.name()));
        }
    }

    private static List<Path> children(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(Files::isDirectory).sorted().toList();
        }
    }

    /**
     * A test or suite that did not pass, with the reason.
     *
     * @param selector what chooses the test alone within its suite; empty if nothing does
     */
    private record Failure(String name, String text, String selector) {

        private static final Set<String> JAVA =
                Set.of("java", "system", "mongo", "histories", "zookeeper", "differential");

        /** Suites whose tests are named by a path of titles. */
        private static final Set<String> VITEST = Set.of("js-sdk", "dashboard");

        static Failure ofSuite(String name, String text) {
            return new Failure(name, text, "");
        }

        static Failure ofTest(String suite, String className, String name, String text) {
            return new Failure((className + " " + name).strip(), text, selector(suite, className, name));
        }

        /**
         * Returns class and method in Java, only the class if all of it failed; in other languages
         * the name of the test.
         */
        private static String selector(String suite, String className, String name) {
            if (suite.equals("fuzz")) {
                return "";
            }
            if (!JAVA.contains(suite)) {
                return VITEST.contains(suite) ? name.replace(" > ", " ") : name;
            }
            String simpleName = className.replaceFirst("\\[.*", "").replaceFirst(".*\\.", "");
            String method = name.replaceFirst("[(\\[{].*", "");
            return method.isEmpty() ? simpleName : simpleName + "#" + method;
        }
    }

    /** Duration of a class or file of tests. */
    private record Timed(String suite, String name, double seconds) {}

    /** Results of one suite, with its times in printed form. */
    private record Suite(
            String name,
            int passed,
            List<Failure> failures,
            List<Timed> classes,
            String seconds,
            String processorSeconds) {

        static Suite read(Path home) throws IOException {
            String name = home.getFileName().toString();
            Results results = new Results(name, Files.exists(home.resolveSibling(CHOSEN)));
            for (Path file : xmlBelow(home.resolve("reports"))) {
                results.read(file);
            }
            results.accountFor(line(home.resolve("exit-code")), home.resolve("log"));
            return new Suite(
                    name,
                    results.passed,
                    results.failures,
                    results.classes,
                    line(home.resolve("seconds")),
                    processorSeconds(line(home.resolve("times"))));
        }

        /**
         * Adds up the CPU times of the processes that a shell waited for, in the second line of
         * Bash's {@code times}, such as 1m2.500s.
         */
        private static String processorSeconds(String times) {
            String children = times.substring(times.indexOf('\n') + 1);
            Matcher part = Pattern.compile("(\\d+)m(\\d+\\.\\d+)s").matcher(children);
            double sum = part.results()
                    .mapToDouble(match -> 60 * Integer.parseInt(match.group(1)) + Double.parseDouble(match.group(2)))
                    .sum();
            return times.equals("-") ? times : Long.toString(Math.round(sum));
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

    /** Collects the test cases of JUnit XML files at any level of nested suites. */
    private static final class Results {

        private final String suite;
        private final List<Failure> failures = new ArrayList<>();
        private final List<Timed> classes = new ArrayList<>();
        private final boolean isSkippingAllowed;
        private int passed;

        /**
         * @param isSkippingAllowed whether tests were chosen, so that skipped ones are those that
         *     were not
         */
        Results(String suite, boolean isSkippingAllowed) {
            this.suite = suite;
            this.isSkippingAllowed = isSkippingAllowed;
        }

        void read(Path file) throws IOException {
            try (InputStream in = Files.newInputStream(file)) {
                readCases(factory().createXMLStreamReader(in));
            } catch (XMLStreamException e) {
                failures.add(Failure.ofSuite(file.getFileName().toString(), "cannot be read: " + e.getMessage()));
            }
        }

        private static XMLInputFactory factory() {
            XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
            factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
            return factory;
        }

        private void readCases(XMLStreamReader xml) throws XMLStreamException {
            int depth = 0;
            while (xml.hasNext()) {
                int event = xml.next();
                if (event == XMLStreamReader.END_ELEMENT) {
                    depth -= xml.getLocalName().equals("testsuite") ? 1 : 0;
                } else if (event == XMLStreamReader.START_ELEMENT && xml.getLocalName().equals("testsuite")) {
                    readTime(xml, depth);
                    depth++;
                } else if (event == XMLStreamReader.START_ELEMENT && xml.getLocalName().equals("testcase")) {
                    readTime(xml, depth);
                    readCase(xml);
                }
            }
        }

        /**
         * Reads the time of an element outside of any suite in the file: of a class, a file, or a
         * single test.
         */
        private void readTime(XMLStreamReader xml, int depth) {
            String time = attribute(xml, "time").replace(",", "");
            if (depth == 0 && !time.isEmpty()) {
                classes.add(new Timed(suite, attribute(xml, "name"), Double.parseDouble(time)));
            }
        }

        private void readCase(XMLStreamReader xml) throws XMLStreamException {
            String className = attribute(xml, "classname");
            String name = attribute(xml, "name");
            List<String> skips = new ArrayList<>();
            List<String> faults = faultsUntilEnd(xml, skips);
            if (!isSkippingAllowed) {
                faults.addAll(skips);
            }
            if (!faults.isEmpty()) {
                failures.add(Failure.ofTest(suite, className, name, String.join("\n", faults)));
            } else if (skips.isEmpty()) {
                passed++;
            }
        }

        private static List<String> faultsUntilEnd(XMLStreamReader xml, List<String> skips) throws XMLStreamException {
            List<String> faults = new ArrayList<>();
            while (!(xml.next() == XMLStreamReader.END_ELEMENT && xml.getLocalName().equals("testcase"))) {
                if (xml.isStartElement()) {
                    switch (xml.getLocalName()) {
                        case "failure", "error" -> faults.add(fault(xml));
                        case "skipped" -> skips.add("was skipped: " + attribute(xml, "message"));
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

        /**
         * Adds a failure for a suite that ended badly or has no results, even if none of its tests
         * failed.
         */
        void accountFor(String exitCode, Path log) throws IOException {
            if (exitCode.equals("-")) {
                failures.add(Failure.ofSuite(suite, "did not run: there was nothing built to run it on"));
            } else if (exitCode.equals("hung")) {
                failures.add(Failure.ofSuite(suite, "took too long and was ended; its output ends:\n" + tail(log)));
            } else if (!exitCode.equals("0") && failures.isEmpty()) {
                failures.add(Failure.ofSuite(
                        suite, "ended with exit code " + exitCode + "; its output ends:\n" + tail(log)));
            } else if (passed + failures.size() == 0) {
                failures.add(Failure.ofSuite(suite, "brought no results; its output ends:\n" + tail(log)));
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
