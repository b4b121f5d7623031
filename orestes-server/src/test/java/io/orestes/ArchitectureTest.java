package io.orestes;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The package table of {@code ARCHITECTURE.md} as a test: the allowed dependencies. */
@AnalyzeClasses(
        packages = "io.orestes",
        importOptions = {DoNotIncludeTests.class, ArchitectureTest.DoNotIncludeTestKit.class})
final class ArchitectureTest {

    /** Excludes the module of tests/support, which the product does not have. */
    static final class DoNotIncludeTestKit implements ImportOption {

        @Override
        public boolean includes(Location location) {
            return !location.contains("/tests/support/") && !location.contains("orestes-test-support");
        }
    }

    /**
     * A package with its sub-packages, and the packages it may name beside {@link #FOUNDATIONS}.
     */
    private record Row(String name, Set<String> mayName) {

        static Row of(String name, String... mayName) {
            return new Row(name, Set.of(mayName));
        }
    }

    private static final int MAX_PUBLIC_METHODS = 12;

    private static final Set<String> FOUNDATIONS = Set.of("json", "config", "async", "limits", "model");

    /** Rows from top to bottom: a package names only packages further down. */
    private static final List<Row> TABLE = List.of(
            Row.of(
                    "http",
                    "socket",
                    "live",
                    "transaction",
                    "write",
                    "read",
                    "auth",
                    "schema",
                    "caching",
                    "ops",
                    "logging",
                    "wire"),
            Row.of("socket", "live", "read", "auth", "caching", "wire"),
            Row.of(
                    "cluster",
                    "live",
                    "transaction",
                    "changefeed",
                    "replication",
                    "write",
                    "read",
                    "auth",
                    "schema",
                    "store",
                    "caching",
                    "invalidb",
                    "coordination",
                    "group",
                    "ops"),
            Row.of("live", "read", "auth", "schema", "store", "invalidb"),
            Row.of("demo", "schema", "store"),
            Row.of("migrate", "schema"),
            Row.of("transaction", "write", "store", "invalidb", "coordination"),
            Row.of("changefeed", "store", "coordination"),
            Row.of("replication", "caching", "coordination", "group"),
            Row.of("write", "update", "auth", "schema", "store", "caching", "invalidb", "group"),
            Row.of("update", "schema", "store"),
            Row.of("read", "auth", "schema", "store", "caching", "invalidb"),
            Row.of("auth", "schema", "store"),
            Row.of("schema", "store"),
            Row.of("store"),
            Row.of("caching", "group", "wire"),
            Row.of("invalidb"),
            Row.of("coordination"),
            Row.of("group"),
            Row.of("ops"),
            Row.of("logging"),
            Row.of("wire"),
            Row.of("json"),
            Row.of("config"),
            Row.of("async"),
            Row.of("limits"),
            Row.of("model"));

    @ArchTest
    static final ArchRule PACKAGES_NAME_ONLY_WHAT_THE_TABLE_ALLOWS = tableAsLayers();

    @ArchTest
    static final ArchRule NOBODY_NAMES_APP = noClasses()
            .that()
            .resideOutsideOfPackage("io.orestes.app..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.orestes.app..");

    @ArchTest
    static final ArchRule EVERY_PACKAGE_IS_IN_THE_TABLE = classes().should().resideInAnyPackage(allPackages());

    @ArchTest
    static final ArchRule NO_CYCLES =
            slices().matching("io.orestes.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule ONLY_APP_CHOOSES_THE_EMBEDDED_STORE = onlyAppNames("embedded");

    @ArchTest
    static final ArchRule ONLY_APP_CHOOSES_MONGODB = onlyAppNames("mongo");

    @ArchTest
    static final ArchRule ONE_PACKAGE_NAMES_THE_DRIVER = noClasses()
            .that()
            .resideOutsideOfPackage("io.orestes.store.mongo..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("com.mongodb..", "org.reactivestreams..");

    @ArchTest
    static final ArchRule ONE_CLASS_NAMES_REACTIVE_STREAMS = noClasses()
            .that()
            .haveNameNotMatching("io\\.orestes\\.store\\.mongo\\.driver\\.PublisherAdapter(\\$.*)?")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.reactivestreams..");

    @ArchTest
    static final ArchRule ONE_PACKAGE_NAMES_LOGBACK = noClasses()
            .that()
            .resideOutsideOfPackage("io.orestes.logging..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("ch.qos.logback..");

    @ArchTest
    static final ArchRule STORE_KNOWS_NO_HTTP = noClasses()
            .that()
            .resideInAnyPackage("io.orestes.store..", "io.orestes.schema..", "io.orestes.model..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.vertx.core.http..", "io.vertx.ext.web..", "io.netty.handler..", "io.netty.buffer..");

    @ArchTest
    static final ArchRule ONLY_THE_DRIVER_OF_MONGODB_HAS_CONNECTIONS_OF_ITS_OWN = noClasses()
            .that()
            .resideInAnyPackage("io.orestes.store..", "io.orestes.schema..", "io.orestes.model..")
            .and()
            .doNotHaveFullyQualifiedName("io.orestes.store.mongo.driver.MongoDriver")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.netty..");

    @ArchTest
    static final ArchRule MODEL_KNOWS_ONLY_BSON_AND_THE_GRID_MODEL = classes()
            .that()
            .resideInAPackage("io.orestes.model..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.orestes.model..",
                    "io.invalidb.model..",
                    "org.bson..",
                    "java..",
                    "org.jspecify..",
                    "com.google.errorprone..");

    /** {@code Caches} consists of parts, so that each caller sees only methods that it needs. */
    @ArchTest
    static final ArchRule PARTS_OF_THE_CACHES_ARE_SMALL =
            classes().that().resideInAPackage("io.orestes.caching").should(haveFewPublicMethods());

    @Test
    void table_rows_nameOnlyRowsFurtherDown() {
        List<String> names = TABLE.stream().map(Row::name).toList();

        for (int row = 0; row < TABLE.size(); row++) {
            assertThat(names.subList(row + 1, names.size()))
                    .containsAll(TABLE.get(row).mayName());
        }
    }

    private static ArchCondition<JavaClass> haveFewPublicMethods() {
        return new ArchCondition<>("have at most " + MAX_PUBLIC_METHODS + " public methods") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                long count = type.getMethods().stream()
                        .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
                        .count();
                String message = type.getName() + " has " + count + " public methods";
                events.add(new SimpleConditionEvent(type, count <= MAX_PUBLIC_METHODS, message));
            }
        };
    }

    private static ArchRule onlyAppNames(String store) {
        String itself = "io.orestes.store." + store + "..";
        return noClasses()
                .that()
                .resideOutsideOfPackages("io.orestes.app..", itself)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(itself);
    }

    private static LayeredArchitecture tableAsLayers() {
        LayeredArchitecture layers = layeredArchitecture().consideringOnlyDependenciesInLayers();
        for (Row row : TABLE) {
            layers = layers.optionalLayer(row.name()).definedBy("io.orestes." + row.name() + "..");
        }
        for (Row row : TABLE) {
            String[] allowed = allowedFor(row);
            layers = allowed.length == 0
                    ? layers.whereLayer(row.name()).mayNotAccessAnyLayer()
                    : layers.whereLayer(row.name()).mayOnlyAccessLayers(allowed);
        }
        return layers;
    }

    private static String[] allowedFor(Row row) {
        int position = TABLE.indexOf(row);
        return TABLE.stream()
                .filter(other -> row.mayName().contains(other.name())
                        || (FOUNDATIONS.contains(other.name()) && TABLE.indexOf(other) > position))
                .map(Row::name)
                .toArray(String[]::new);
    }

    private static String[] allPackages() {
        return Stream.concat(
                        Stream.of("io.orestes.app.."), TABLE.stream().map(row -> "io.orestes." + row.name() + ".."))
                .toArray(String[]::new);
    }
}
