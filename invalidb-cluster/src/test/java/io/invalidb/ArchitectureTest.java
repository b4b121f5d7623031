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
            .definedBy("io.invalidb.model")
            .layer("query")
            .definedBy("io.invalidb.query")
            .layer("matching")
            .definedBy("io.invalidb.matching")
            .layer("sorting")
            .definedBy("io.invalidb.sorting")
            .layer("aggregation")
            .definedBy("io.invalidb.aggregation")
            .layer("grid")
            .definedBy("io.invalidb.grid")
            .layer("node")
            .definedBy("io.invalidb.node")
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

    @ArchTest
    static final ArchRule noNetworkAndNoFrameworks = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.net..", "java.nio.channels..", "io.vertx..", "org.rocksdb..", "io.orestes..");

    @ArchTest
    static final ArchRule noClockBelowNode = noClasses()
            .that()
            .resideOutsideOfPackage("io.invalidb.node")
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
                    "io.invalidb.model",
                    "io.invalidb.query",
                    "io.invalidb.matching",
                    "io.invalidb.sorting",
                    "io.invalidb.aggregation")
            .and()
            .doNotHaveFullyQualifiedName("io.invalidb.query.StopWords")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.util.concurrent..", "java.io..")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Thread.class);
}
