package io.orestes;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rules for the composition root: small, final modules, and a server that names only them. */
@AnalyzeClasses(
        packages = "io.orestes.app",
        importOptions = {DoNotIncludeTests.class, ArchitectureTest.DoNotIncludeTestKit.class})
final class AppModulesTest {

    private static final int MAX_LINES = 150;

    private static final Path APP = Path.of("src/main/java/io/orestes/app");

    @ArchTest
    static final ArchRule SERVER_NAMES_ONLY_MODULES = classes()
            .that()
            .haveFullyQualifiedName("io.orestes.app.Server")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.orestes.app..",
                    "io.orestes.app",
                    "io.vertx.core..",
                    "java..",
                    "org.jspecify..",
                    "com.google..");

    @ArchTest
    static final ArchRule MODULES_ARE_RECORDS = classes()
            .that()
            .haveNameMatching("io\\.orestes\\.app\\.module\\.\\w+Modules?")
            .should()
            .beRecords();

    @ArchTest
    static final ArchRule COMPONENTS_ARE_FINAL = fields().that()
            .areDeclaredInClassesThat()
            .resideInAPackage("io.orestes.app..")
            .should()
            .beFinal();

    @Test
    void server_fitsItsLimit() throws IOException {
        assertThat(Files.readAllLines(APP.resolve("Server.java"))).hasSizeLessThanOrEqualTo(MAX_LINES);
    }

    @Test
    void modules_fitTheirLimit() throws IOException {
        List<Path> modules = modules();

        assertThat(modules).hasSizeGreaterThan(12);
        for (Path module : modules) {
            assertThat(Files.readAllLines(module)).as("lines of %s", module).hasSizeLessThanOrEqualTo(MAX_LINES);
        }
    }

    private static List<Path> modules() throws IOException {
        try (Stream<Path> files = Files.list(APP.resolve("module"))) {
            return files.toList();
        }
    }
}
