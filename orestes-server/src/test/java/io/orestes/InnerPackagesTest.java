package io.orestes;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The sub-packages of each large package, and which of them each may name. */
@AnalyzeClasses(
        packages = "io.orestes",
        importOptions = {DoNotIncludeTests.class, ArchitectureTest.DoNotIncludeTestKit.class})
final class InnerPackagesTest {

    /** Name of the package itself, as distinct from its sub-packages. */
    private static final String FACADE = ".";

    /** A large package with its sub-packages, top to bottom. */
    private record Room(String name, List<Row> rows) {

        static Room of(String name, Row... rows) {
            return new Room("io.orestes." + name, List.of(rows));
        }

        private String pattern(Row row) {
            return row.name().equals(FACADE) ? name : name + "." + row.name() + "..";
        }

        String[] patterns() {
            return rows.stream().map(this::pattern).toArray(String[]::new);
        }

        LayeredArchitecture layers() {
            LayeredArchitecture layers = layeredArchitecture().consideringOnlyDependenciesInLayers();
            for (Row row : rows) {
                layers = layers.layer(row.name()).definedBy(pattern(row));
            }
            for (Row row : rows) {
                String[] allowed = row.mayName().toArray(String[]::new);
                layers = allowed.length == 0
                        ? layers.whereLayer(row.name()).mayNotAccessAnyLayer()
                        : layers.whereLayer(row.name()).mayOnlyAccessLayers(allowed);
            }
            return layers;
        }
    }

    /** One sub-package, and the others that it may name. */
    private record Row(String name, Set<String> mayName) {

        static Row of(String name, String... mayName) {
            return new Row(name, Set.of(mayName));
        }
    }

    private static final Room APP =
            Room.of("app", Row.of(FACADE, "module", "config"), Row.of("module", "config"), Row.of("config"));

    private static final Room HTTP = Room.of(
            "http",
            Row.of(FACADE, "entry", "admin", "data", "caching", "caller", "body", "protocol"),
            Row.of("entry", "caching", "caller", "body", "protocol"),
            Row.of("admin", "caching", "caller", "protocol"),
            Row.of("data", "caching", "caller", "body", "protocol"),
            Row.of("caching", "caller", "protocol"),
            Row.of("caller", "body", "protocol"),
            Row.of("body", "protocol"),
            Row.of("protocol"));

    private static final Room AUTH = Room.of(
            "auth",
            Row.of("account", "token", "password", "rights"),
            Row.of("token", "password", "rights"),
            Row.of("password", "limit", "rights"),
            Row.of("limit"),
            Row.of("rights"));

    private static final Room LIVE = Room.of(
            "live",
            Row.of(FACADE, "request", "execution", "event"),
            Row.of("request", "event"),
            Row.of("execution"),
            Row.of("event"));

    private static final Room READ = Room.of(
            "read",
            Row.of("explanation", "query"),
            Row.of("object", "query", "response"),
            Row.of("query", "watch", "translation", "response"),
            Row.of("watch"),
            Row.of("translation"),
            Row.of("response"));

    private static final Room SCHEMA = Room.of(
            "schema",
            Row.of(FACADE, "change", "edit", "migration", "codec", "model", "type"),
            Row.of("change", "migration", "model", "type"),
            Row.of("edit", "migration", "model", "type"),
            Row.of("migration", "codec", "model", "type"),
            Row.of("codec", "model", "type"),
            Row.of("model", "type"),
            Row.of("type"));

    private static final Room CACHING = Room.of(
            "caching",
            Row.of(FACADE, "response", "purge", "ttl", "sketch"),
            Row.of("response", "ttl"),
            Row.of("purge", "sketch"),
            Row.of("ttl"),
            Row.of("sketch"));

    private static final Room REPLICATION = Room.of("replication", Row.of(FACADE, "link"), Row.of("link"));

    private static final Room EMBEDDED_STORE = Room.of(
            "store.embedded",
            Row.of(FACADE, "task", "commit", "query", "index", "codec", "database"),
            Row.of("task", "commit", "index", "codec", "database"),
            Row.of("commit", "index", "codec", "database"),
            Row.of("query", "index", "codec", "database"),
            Row.of("index", "codec", "database"),
            Row.of("codec"),
            Row.of("database"));

    private static final Room MONGO_STORE = Room.of(
            "store.mongo",
            Row.of(FACADE, "probe", "changefeed", "write", "read", "index", "document", "driver"),
            Row.of("probe", "changefeed", "read", "driver"),
            Row.of("changefeed", "write", "document", "driver"),
            Row.of("write", "read", "index", "document", "driver"),
            Row.of("read", "index", "document", "driver"),
            Row.of("index", "document", "driver"),
            Row.of("document", "driver"),
            Row.of("driver"));

    @ArchTest
    static final ArchRule SUB_PACKAGES_OF_APP = APP.layers();

    @ArchTest
    static final ArchRule SUB_PACKAGES_OF_HTTP = HTTP.layers();

    @ArchTest
    static final ArchRule SUB_PACKAGES_OF_AUTH = AUTH.layers();

    @ArchTest
    static final ArchRule SUB_PACKAGES_OF_LIVE = LIVE.layers();

    @ArchTest
    static final ArchRule SUB_PACKAGES_OF_READ = READ.layers();

    @ArchTest
    static final ArchRule SUB_PACKAGES_OF_SCHEMA = SCHEMA.layers();

    @ArchTest
    static final ArchRule SUB_PACKAGES_OF_CACHING = CACHING.layers();

    @ArchTest
    static final ArchRule SUB_PACKAGES_OF_REPLICATION = REPLICATION.layers();

    @ArchTest
    static final ArchRule SUB_PACKAGES_OF_THE_EMBEDDED_STORE = EMBEDDED_STORE.layers();

    @ArchTest
    static final ArchRule SUB_PACKAGES_OF_THE_MONGODB_STORE = MONGO_STORE.layers();

    @ArchTest
    static final ArchRule EVERY_SUB_PACKAGE_HAS_A_ROW = classes()
            .that()
            .resideInAnyPackage(rooms().map(room -> room.name() + "..").toArray(String[]::new))
            .and()
            .doNotHaveSimpleName("package-info")
            .should()
            .resideInAnyPackage(
                    rooms().flatMap(room -> Stream.of(room.patterns())).toArray(String[]::new));

    @ParameterizedTest
    @MethodSource("rooms")
    void rows_ofARoom_nameOnlyRowsFurtherDown(Room room) {
        List<String> names = room.rows().stream().map(Row::name).toList();

        for (int row = 0; row < names.size(); row++) {
            assertThat(names.subList(row + 1, names.size()))
                    .containsAll(room.rows().get(row).mayName());
        }
    }

    private static Stream<Room> rooms() {
        return Stream.of(APP, HTTP, AUTH, LIVE, READ, SCHEMA, CACHING, REPLICATION, EMBEDDED_STORE, MONGO_STORE);
    }
}
