package io.orestes;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import com.tngtech.archunit.core.domain.InstanceofCheck;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.ReferencedClassObject;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import io.orestes.ArchitectureTest.DoNotIncludeTestKit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Rules for signatures, type tests and lengths of methods in the main sources of the product's
 * modules. A sixth parameter asks for a type, and a type test for a method of the tested type.
 */
final class SignatureRulesTest {

    /** Methods whose parameters are those of a foreign function. */
    private static final Set<String> FOREIGN_SIGNATURES =
            Set.of("io.orestes.auth.password.SodiumArgon2.Sodium.crypto_pwhash");

    private static final int MAX_PARAMETERS = 5;

    /** Maximum number of lines of a method, without those that are blank or comments. */
    private static final int MAX_METHOD_LINES = 39;

    /** Maximum number of tests for types of our own in both modules. */
    private static final int MAX_TYPE_TESTS = 14;

    private static final Pattern OPTIONAL = Pattern.compile(
            "(?:@\\S+\\s+)*(?:java\\.util\\.)?Optional(?:Int|Long|Double)?\\b(?!\\.).*", Pattern.DOTALL);

    private static final Pattern COMMENT = Pattern.compile("\\s*(?://|/?\\*).*");

    private static final String IS_INSTANCE = "java.lang.Class.isInstance(java.lang.Object)";

    private static final List<Path> PRODUCT =
            List.of(Path.of("src/main/java"), Path.of("../invalidb-cluster/src/main/java"));

    private static List<Member> members = List.of();

    @BeforeAll
    static void parseSources() throws IOException {
        members = parse(sources());
        assertThat(members).hasSizeGreaterThan(5_000);
    }

    /** An optional input makes every caller wrap a value; a result may be optional. */
    @Test
    void inputs_ofMethodsAndRecordsAndFields_areNotOptional() {
        assertThat(violations(member -> member.inputTypes().stream()
                        .anyMatch(type -> OPTIONAL.matcher(type).matches())))
                .isEmpty();
    }

    @Test
    void signatures_ofMethodsAndConstructors_haveFewParameters() {
        assertThat(violations(member -> member.inputTypes().size() > MAX_PARAMETERS
                        && !member.isRecordConstructor()
                        && !FOREIGN_SIGNATURES.contains(member.name())))
                .isEmpty();
    }

    @Test
    void methods_always_areShort() {
        assertThat(violations(member -> member.lines() > MAX_METHOD_LINES)).isEmpty();
    }

    /** Failures may be tested for their type, and so may objects that are compared as equal. */
    @Test
    void typeTests_ofOwnTypes_areFew() {
        JavaClasses types = productClasses();
        Stream<String> operators = types.stream()
                .flatMap(type -> type.getInstanceofChecks().stream())
                .filter(check ->
                        isOwn(check.getRawType()) && !check.getOwner().getName().equals("equals"))
                .map(SignatureRulesTest::describe);
        Stream<String> references = types.stream()
                .flatMap(type -> type.getCodeUnits().stream())
                .flatMap(SignatureRulesTest::instanceFilters);

        assertThat(Stream.concat(operators, references).sorted().toList()).hasSizeLessThanOrEqualTo(MAX_TYPE_TESTS);
    }

    /** Returns the types of our own that a method passes to {@link Class#isInstance}. */
    private static Stream<String> instanceFilters(JavaCodeUnit unit) {
        boolean isFiltering = Stream.concat(
                        unit.getMethodReferencesFromSelf().stream(), unit.getMethodCallsFromSelf().stream())
                .anyMatch(access -> access.getTarget().getFullName().equals(IS_INSTANCE));
        return isFiltering
                ? unit.getReferencedClassObjects().stream()
                        .map(ReferencedClassObject::getRawType)
                        .filter(SignatureRulesTest::isOwn)
                        .map(type -> unit.getFullName() + " " + type.getName())
                        .distinct()
                : Stream.empty();
    }

    private static JavaClasses productClasses() {
        return new ClassFileImporter()
                .withImportOption(new DoNotIncludeTests())
                .withImportOption(new DoNotIncludeTestKit())
                .importPackages("io.orestes", "io.invalidb");
    }

    private static String describe(InstanceofCheck check) {
        return check.getSourceCodeLocation() + " " + check.getRawType().getName();
    }

    private static boolean isOwn(JavaClass type) {
        return (type.getName().startsWith("io.orestes.") || type.getName().startsWith("io.invalidb."))
                && !type.isAssignableTo(Throwable.class);
    }

    /** Returns the names of the members that violate a rule, with their inputs. */
    private static Stream<String> violations(Predicate<Member> violates) {
        return members.stream().filter(violates).map(member -> member.name() + member.inputTypes());
    }

    /**
     * A declaration of a field, a record component, a method or a constructor.
     *
     * @param name qualified name
     * @param inputTypes types of the parameters, or of the field or component itself
     * @param lines number of lines of a method, without those that are blank or comments
     */
    private record Member(String name, List<String> inputTypes, int lines, boolean isRecordConstructor) {}

    private static List<Member> parse(List<Path> files) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<Member> found = new ArrayList<>();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, manager, null, List.of("-proc:none"), null, manager.getJavaFileObjectsFromPaths(files));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                new MemberScanner(unit, positions).scan(unit, found);
            }
        }
        return found;
    }

    private static List<Path> sources() {
        return PRODUCT.stream()
                .flatMap(SignatureRulesTest::filesBelow)
                .filter(file -> file.toString().endsWith(".java"))
                .toList();
    }

    private static Stream<Path> filesBelow(Path root) {
        try (Stream<Path> files = Files.walk(root)) {
            return files.toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The scanner that collects the members of one file. */
    private static final class MemberScanner extends TreePathScanner<Void, List<Member>> {

        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final String text;
        private final String packageName;

        MemberScanner(CompilationUnitTree unit, SourcePositions positions) throws IOException {
            this.unit = unit;
            this.positions = positions;
            this.text = unit.getSourceFile().getCharContent(true).toString();
            this.packageName = String.valueOf(unit.getPackageName());
        }

        @Override
        public Void visitVariable(VariableTree variable, List<Member> found) {
            if (getCurrentPath().getParentPath().getLeaf() instanceof ClassTree) {
                found.add(member(variable.getName(), List.of(variable.getType().toString()), 0, false));
            }
            return super.visitVariable(variable, found);
        }

        @Override
        public Void visitMethod(MethodTree method, List<Member> found) {
            List<String> types = method.getParameters().stream()
                    .map(parameter -> parameter.getType().toString())
                    .toList();
            boolean isRecordConstructor = method.getReturnType() == null
                    && getCurrentPath().getParentPath().getLeaf().getKind() == Tree.Kind.RECORD;
            found.add(member(method.getName(), types, lines(method), isRecordConstructor));
            return super.visitMethod(method, found);
        }

        private Member member(CharSequence name, List<String> types, int lines, boolean isRecordConstructor) {
            return new Member(owner() + "." + name, types, lines, isRecordConstructor);
        }

        /** Returns the qualified name of the class that declares the current member. */
        private String owner() {
            List<String> names = new ArrayList<>();
            for (Tree tree : getCurrentPath()) {
                if (tree instanceof ClassTree type) {
                    names.add(0, type.getSimpleName().toString());
                }
            }
            return packageName + "." + String.join(".", names);
        }

        private int lines(MethodTree method) {
            long end = positions.getEndPosition(unit, method);
            return (int) text.substring((int) positions.getStartPosition(unit, method), (int) end)
                    .lines()
                    .filter(line -> !line.isBlank() && !COMMENT.matcher(line).matches())
                    .count();
        }
    }
}
