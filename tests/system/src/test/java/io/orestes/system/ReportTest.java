package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.server.Launcher;
import io.orestes.support.server.RunningCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The summary of a test run: failures must never look like success. */
final class ReportTest {

    private static final String PASSED = "<testsuite><testcase classname='A' name='a'/></testsuite>";

    private final Path results;

    ReportTest(@TempDir Path results) {
        this.results = results;
    }

    @Test
    void report_allPassed_endsWithTheSumAndSucceeds() throws Exception {
        suite("java", "0", PASSED);
        suite(
                "js-sdk",
                "0",
                "<testsuites><testsuite><testsuite><testcase name='b'/></testsuite></testsuite></testsuites>");

        RunningCommand report = report();

        assertThat(report.exitCode()).isZero();
        assertThat(lastLine(report)).isEqualTo("2 passed, 0 failed");
    }

    @Test
    void test_unknownFlag_isRefusedBeforeAnythingRuns() throws Exception {
        try (RunningCommand command = Launcher.here().run("test", "--quick")) {
            assertThat(command.exitCode()).isEqualTo(2);
            assertThat(command.errors()).contains("unknown flag: --quick", "--fast", "--full", "--soak");
        }
    }

    @Test
    void test_unknownSuite_isRefusedBeforeAnythingRuns() throws Exception {
        try (RunningCommand command = Launcher.here().run("test", "sytem")) {
            assertThat(command.exitCode()).isEqualTo(2);
            assertThat(command.errors()).contains("unknown suite: sytem", "system", "js-sdk");
        }
    }

    @Test
    void test_oneTestOfASuite_runsThatAlone() throws Exception {
        try (RunningCommand command = Launcher.here().run("test", "scripts", ".ci/run")) {
            assertThat(command.exitCode()).isZero();
            assertThat(lastLine(command)).isEqualTo("1 passed, 0 failed");
        }
    }

    @ParameterizedTest
    @CsvSource({"--full,system", "fuzz,a"})
    void test_moreArgumentsThanItTakes_isRefusedBeforeAnythingRuns(String first, String second) throws Exception {
        try (RunningCommand command = Launcher.here().run("test", first, second)) {
            assertThat(command.exitCode()).isEqualTo(2);
            assertThat(command.errors()).contains("too many arguments: " + second);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "0", "1.5", "-5"})
    void soak_forNoNumberOfMinutes_isRefusedBeforeAnythingRuns(String minutes) throws Exception {
        try (RunningCommand command = Launcher.here().run("test", "--soak", minutes)) {
            assertThat(command.exitCode()).isEqualTo(2);
            assertThat(command.errors()).contains("--soak takes a whole number of minutes", minutes);
        }
    }

    @Test
    void report_failureAndError_countsAndPrintsBoth() throws Exception {
        suite(
                "java",
                "0",
                "<testsuite><testcase classname='A' name='a'><failure message='expected: 1'>trace</failure></testcase>"
                        + "<testcase classname='A' name='b'><error>boom</error>"
                        + "<system-out>noise</system-out></testcase>"
                        + "<testcase classname='A' name='c'/></testsuite>");

        RunningCommand report = report();

        assertThat(report.exitCode()).isEqualTo(1);
        assertThat(report.output()).contains("FAILED A a", "expected: 1", "trace", "FAILED A b", "boom");
        assertThat(lastLine(report)).isEqualTo("1 passed, 2 failed");
    }

    @Test
    void report_skippedTest_countsAsFailed() throws Exception {
        suite("java", "0", "<testsuite><testcase name='a'><skipped message='no server'/></testcase></testsuite>");

        RunningCommand report = report();

        assertThat(report.exitCode()).isEqualTo(1);
        assertThat(lastLine(report)).isEqualTo("0 passed, 1 failed");
    }

    /** Node and Vitest report tests as skipped whose names were not chosen. */
    @Test
    void report_ofAChosenTest_skippedOnesCountAsNothing() throws Exception {
        Files.createFile(results.resolve("chosen"));
        suite("sdk", "0", "<testsuites><testcase name='a'/><testcase name='b'><skipped/></testcase></testsuites>");

        RunningCommand report = report();

        assertThat(report.exitCode()).isZero();
        assertThat(lastLine(report)).isEqualTo("1 passed, 0 failed");
    }

    @Test
    void report_ofAChosenTestThatIsNotThere_fails() throws Exception {
        Files.createFile(results.resolve("chosen"));
        suite("sdk", "0", "<testsuites><testcase name='b'><skipped/></testcase></testsuites>");

        RunningCommand report = report();

        assertThat(report.exitCode()).isEqualTo(1);
        assertThat(lastLine(report)).isEqualTo("0 passed, 1 failed");
    }

    @Test
    void report_exitCodeNoTestExplains_countsAsFailed() throws Exception {
        suite("java", "1", PASSED);

        RunningCommand report = report();

        assertThat(report.exitCode()).isEqualTo(1);
        assertThat(report.output()).contains("what it printed");
        assertThat(lastLine(report)).isEqualTo("1 passed, 1 failed");
    }

    @Test
    void report_suiteWithoutResults_countsAsFailed() throws Exception {
        suite("java", "0", PASSED);
        suite("browser", "0", "<testsuite/>");
        Files.createDirectory(results.resolve("client"));

        RunningCommand report = report();

        assertThat(report.exitCode()).isEqualTo(1);
        assertThat(lastLine(report)).isEqualTo("1 passed, 2 failed");
    }

    @Test
    void report_cutOffResults_countAsFailed() throws Exception {
        suite("java", "0", "<testsuite><testcase name='a'/><testcase na");

        RunningCommand report = report();

        assertThat(report.exitCode()).isEqualTo(1);
        assertThat(lastLine(report)).isEqualTo("1 passed, 1 failed");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "system    | io.orestes.app.ATest    | a_b(int)[2]  | system 'ATest#a_b'",
                "mongo     | io.orestes.app.ATest[1] | a_b()[1]     | mongo 'ATest#a_b'",
                "java      | ArchitectureTest        | noCycles     | java 'ArchitectureTest#noCycles'",
                "system    | io.orestes.app.ATest    | \"\"           | system 'ATest'",
                "js-sdk    | test/lists.test.ts      | lists > sort | js-sdk 'lists sort'",
                "sdk       | test                    | it's late    | sdk 'it'\\''s late'",
                "fuzz      | schemathesis            | GET /db      | fuzz",
            })
    void report_failedTest_namesTheCommandThatRepeatsIt(String suite, String className, String name, String arguments)
            throws Exception {
        suite(
                suite,
                "0",
                "<testsuite><testcase classname=\"%s\" name=\"%s\"><failure message='no'/></testcase></testsuite>"
                        .formatted(className, name.replace(">", "&gt;")));

        RunningCommand report = report();

        assertThat(report.exitCode()).isEqualTo(1);
        assertThat(report.output()).contains("repeat it: ./orestes test " + arguments);
    }

    @Test
    void report_times_namesTheSlowestClassesAndTheTimeOfProcessors() throws Exception {
        suite("java", "0", "<testsuite name='io.A' time='1.5'><testcase name='a' time='1.4'/></testsuite>");
        suite(
                "sdk",
                "0",
                "<testsuites><testsuite name='lists' time='2.25'><testsuite name='inner' time='2.25'>"
                        + "<testcase name='b' time='2.25'/></testsuite></testsuite></testsuites>");
        Files.writeString(results.resolve("java/seconds"), "12\n");
        Files.writeString(results.resolve("java/times"), "0m0.100s 0m0.100s\n1m2.500s 0m3.000s\n");

        RunningCommand report = report();

        assertThat(report.exitCode()).isZero();
        assertThat(report.output())
                .containsSubsequence("slowest:", "     2.3 s  sdk lists", "     1.5 s  java io.A")
                .anySatisfy(line -> assertThat(line).startsWith("java").contains(" 12 s ", " 66 s of processors"));
        assertThat(lastLine(report)).isEqualTo("2 passed, 0 failed");
    }

    @Test
    void report_nothingRan_fails() throws Exception {
        RunningCommand report = report();

        assertThat(report.exitCode()).isEqualTo(1);
        assertThat(lastLine(report)).isEqualTo("0 passed, 0 failed");
    }

    private void suite(String name, String exitCode, String xml) throws IOException {
        Path reports = Files.createDirectories(results.resolve(name).resolve("reports"));
        Files.writeString(reports.resolve("TEST-a.xml"), xml);
        Files.writeString(results.resolve(name).resolve("exit-code"), exitCode + "\n");
        Files.writeString(results.resolve(name).resolve("log"), "what it printed\n");
    }

    private RunningCommand report() throws IOException {
        return new RunningCommand(new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        Launcher.ROOT.resolve("tests/runner/Report.java").toString(),
                        results.toString()))
                .start());
    }

    private static String lastLine(RunningCommand command) {
        return command.output().get(command.output().size() - 1);
    }
}
