package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.system.PermissionTestbed.Case;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every operation under every form of rule by every kind of caller, compared with
 * {@link PermissionOracle}: what the caller learns, and what is stored afterwards. The names of the
 * tests state the number of their cases.
 */
@ExtendWith(SharedBackend.class)
@TestInstance(Lifecycle.PER_CLASS)
@Tag("full")
final class PermissionMatrixTest {

    private static final long SEED = 20260305;
    private static final int MIXED = 80;

    private final PermissionTestbed scene;

    PermissionMatrixTest(Backend backend) {
        this.scene = new PermissionTestbed(backend);
    }

    @AfterAll
    void leave() {
        scene.close();
    }

    /** Cases about one operation. */
    record Group(String name, List<Case> cases) {

        @Override
        public String toString() {
            return name + ": " + cases.size() + " cases";
        }
    }

    static Stream<PermissionOperation> operations() {
        return Stream.of(PermissionReads.all(), PermissionWrites.all()).flatMap(List::stream);
    }

    Stream<Group> rulesOfClasses() {
        return operations().map(operation -> new Group(operation.name(), ofClasses(operation)));
    }

    private List<Case> ofClasses(PermissionOperation operation) {
        List<Case> cases = new ArrayList<>();
        for (String key : operation.needs()) {
            for (String rule : scene.rules().keySet()) {
                scene.askers()
                        .forEach(asker ->
                                cases.add(scene.newCase(operation, key, rule, PermissionTestbed.PUBLIC, asker)));
            }
        }
        return cases;
    }

    Stream<Group> rulesOfObjects() {
        return operations()
                .filter(PermissionOperation::dependsOnObject)
                .map(operation -> new Group(operation.name(), ofObjects(operation)));
    }

    private List<Case> ofObjects(PermissionOperation operation) {
        List<Case> cases = new ArrayList<>();
        for (String rule : scene.rules().keySet()) {
            scene.askers()
                    .forEach(asker -> cases.add(scene.newCase(operation, "", PermissionTestbed.PUBLIC, rule, asker)));
        }
        return cases;
    }

    /** Returns cases of permissions that an operation does not need. */
    Stream<Group> otherPermissions() {
        return operations().map(operation -> new Group(operation.name(), ofOthers(operation)));
    }

    private List<Case> ofOthers(PermissionOperation operation) {
        return PermissionTestbed.KEYS.stream()
                .filter(key -> !operation.needs().contains(key)
                        && !operation.alsoNeeds().contains(key))
                .flatMap(key -> scene.askers().stream()
                        .limit(3)
                        .map(asker -> scene.newCase(operation, key, "adminOnly", PermissionTestbed.PUBLIC, asker)))
                .toList();
    }

    Stream<Group> rulesOfBoth() {
        Random random = new Random(SEED);
        return operations().map(operation -> new Group(operation.name(), mixed(operation, random)));
    }

    private List<Case> mixed(PermissionOperation operation, Random random) {
        List<String> needs = operation.needs().stream().sorted().toList();
        List<String> rules = List.copyOf(scene.rules().keySet());
        return Stream.generate(() -> scene.newCase(
                        operation,
                        any(needs, random),
                        any(rules, random),
                        any(rules, random),
                        any(scene.askers(), random)))
                .limit(MIXED)
                .toList();
    }

    private static <T> T any(List<T> values, Random random) {
        return values.get(random.nextInt(values.size()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rulesOfClasses")
    void ruleOfTheClass_decidesLikeTheOracle(Group group) throws Exception {
        assertThat(scene.disagreements(group.cases)).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rulesOfObjects")
    void ruleOfTheObject_decidesLikeTheOracle(Group group) throws Exception {
        assertThat(scene.disagreements(group.cases)).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("otherPermissions")
    void permissionThatIsNotNeeded_doesNotMatter(Group group) throws Exception {
        assertThat(scene.disagreements(group.cases)).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rulesOfBoth")
    void rulesOfClassAndObject_countInThatOrder(Group group) throws Exception {
        assertThat(scene.disagreements(group.cases)).isEmpty();
    }

    @Test
    void matrix_hasManyCasesOfBothKinds() {
        List<Case> cases = Stream.of(rulesOfClasses(), rulesOfObjects(), otherPermissions(), rulesOfBoth())
                .flatMap(groups -> groups)
                .flatMap(group -> group.cases.stream())
                .toList();

        assertThat(cases).hasSizeGreaterThan(10_000);
        assertThat(cases.stream()
                        .filter(one ->
                                scene.expected(one).equals(one.operation().granted()))
                        .count())
                .isBetween(cases.size() / 4L, cases.size() * 3L / 4);
    }
}
