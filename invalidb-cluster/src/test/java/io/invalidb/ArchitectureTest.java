package io.invalidb;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;

/**
 * The package map: a package names only packages to its left in model, query, matching, sorting,
 * grid, node; matching and sorting are independent of each other.
 */
@AnalyzeClasses(packages = "io.invalidb", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {

    @ArchTest
    static final ArchRule noCycles =
            slices().matching("io.invalidb.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule packagesKnowOnlyThoseToTheirLeft = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("model")
            .definedBy("io.invalidb.model..")
            .layer("query")
            .definedBy("io.invalidb.query..")
            .layer("matching")
            .definedBy("io.invalidb.matching..")
            .layer("sorting")
            .definedBy("io.invalidb.sorting..")
            .layer("aggregation")
            .definedBy("io.invalidb.aggregation..")
            .layer("grid")
            .definedBy("io.invalidb.grid..")
            .layer("node")
            .definedBy("io.invalidb.node..")
            .whereLayer("model")
            .mayNotAccessAnyLayer()
            .whereLayer("query")
            .mayOnlyAccessLayers("model")
            .whereLayer("matching")
            .mayOnlyAccessLayers("query", "model")
            .whereLayer("sorting")
            .mayOnlyAccessLayers("query", "model")
            .whereLayer("aggregation")
            .mayOnlyAccessLayers("query", "model")
            .whereLayer("grid")
            .mayOnlyAccessLayers("matching", "query", "model");

    /** Inner packages of {@code query}, top to bottom: each names only packages further down. */
    @ArchTest
    static final ArchRule packagesOfQueryNameOnlyThoseBelow = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("sort")
            .definedBy("io.invalidb.query.sort..")
            .layer("filter")
            .definedBy("io.invalidb.query.filter..")
            .layer("operators")
            .definedBy("io.invalidb.query.jsonschema..", "io.invalidb.query.expression..", "io.invalidb.query.geo..")
            .layer("text")
            .definedBy("io.invalidb.query.text..")
            .layer("regex")
            .definedBy("io.invalidb.query.regex..")
            .layer("value")
            .definedBy("io.invalidb.query.value..")
            .layer("base")
            .definedBy("io.invalidb.query")
            .whereLayer("sort")
            .mayOnlyAccessLayers("filter", "value", "base")
            .whereLayer("filter")
            .mayOnlyAccessLayers("operators", "text", "regex", "value", "base")
            .whereLayer("operators")
            .mayOnlyAccessLayers("regex", "value", "base")
            .whereLayer("text")
            .mayOnlyAccessLayers("base")
            .whereLayer("regex")
            .mayOnlyAccessLayers("value", "base")
            .whereLayer("value")
            .mayOnlyAccessLayers("base")
            .whereLayer("base")
            .mayNotAccessAnyLayer();

    @ArchTest
    static final ArchRule operatorsOfQueryAreIndependent =
            slices().matching("io.invalidb.query.(*)..").should().beFreeOfCycles();

    /** Inner packages of {@code matching}: nobody outside of it names the index of queries. */
    @ArchTest
    static final ArchRule packagesOfMatchingNameOnlyThoseBelow = layeredArchitecture()
            .consideringAllDependencies()
            .layer("cell")
            .definedBy("io.invalidb.matching.cell..")
            .layer("index")
            .definedBy("io.invalidb.matching.index..")
            .layer("selectivity")
            .definedBy("io.invalidb.matching.selectivity..")
            .whereLayer("index")
            .mayOnlyBeAccessedByLayers("cell")
            .whereLayer("selectivity")
            .mayOnlyBeAccessedByLayers("index");

    @ArchTest
    static final ArchRule querySpecsNameNoCell = noClasses()
            .that()
            .resideInAPackage("io.invalidb.matching")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.invalidb.matching.*..");

    @ArchTest
    static final ArchRule noNetworkAndNoFrameworks = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.net..", "java.nio.channels..", "io.vertx..", "org.rocksdb..", "io.orestes..");

    @ArchTest
    static final ArchRule noClockBelowNode = noClasses()
            .that()
            .resideOutsideOfPackage("io.invalidb.node..")
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Clock.class);

    /**
     * Rule with one exception: stop words are read once from a file in the archive of a library.
     */
    @ArchTest
    static final ArchRule operatorsKnowNoThreads = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.invalidb.model..",
                    "io.invalidb.query..",
                    "io.invalidb.matching..",
                    "io.invalidb.sorting..",
                    "io.invalidb.aggregation..")
            .and()
            .doNotHaveFullyQualifiedName("io.invalidb.query.text.StopWords")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.util.concurrent..", "java.io..")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Thread.class);
}
