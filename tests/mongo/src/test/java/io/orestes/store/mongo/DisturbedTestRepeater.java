package io.orestes.store.mongo;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/** The extension of {@link RepeatedIfDisturbed}. */
final class DisturbedTestRepeater implements InvocationInterceptor {

    private static final int MAX_ATTEMPTS = 3;

    /** Shorter than the shortest time-out of a store in a test. */
    private static final Duration STANDSTILL = Duration.ofMillis(300);

    /** One execution of a method of the test class. */
    private interface Attempt {
        void run() throws Throwable;
    }

    @Override
    public void interceptBeforeEachMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        MongoFixture fixture = MongoFixture.in(context);
        runUndisturbed(fixture, context, invocation::proceed, () -> {
            fixture.renew(context);
            invoke(method);
        });
    }

    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> test, ExtensionContext context)
            throws Throwable {
        MongoFixture fixture = MongoFixture.in(context);
        runUndisturbed(fixture, context, invocation::proceed, () -> {
            invokeAll(AfterEach.class, context);
            fixture.renew(context);
            invokeAll(BeforeEach.class, context);
            invoke(test);
        });
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> test, ExtensionContext context)
            throws Throwable {
        interceptTestMethod(invocation, test, context);
    }

    private static void runUndisturbed(MongoFixture fixture, ExtensionContext context, Attempt first, Attempt next)
            throws Throwable {
        Attempt attempt = first;
        for (int left = MAX_ATTEMPTS - 1; isDisturbed(fixture, context, attempt, left); left--) {
            attempt = next;
        }
    }

    /** Returns whether the attempt has failed after a standstill, and may be repeated. */
    private static boolean isDisturbed(MongoFixture fixture, ExtensionContext context, Attempt attempt, int left)
            throws Throwable {
        try (StandstillProbe probe = StandstillProbe.start(fixture.mongod())) {
            try {
                attempt.run();
                return false;
            } catch (Throwable failure) {
                Duration longest = probe.longest();
                if (left == 0 || longest.compareTo(STANDSTILL) < 0) {
                    throw failure;
                }
                context.publishReportEntry("repeated after a standstill of " + longest, String.valueOf(failure));
                return true;
            }
        }
    }

    private static void invoke(ReflectiveInvocationContext<Method> method) {
        ReflectionSupport.invokeMethod(
                method.getExecutable(),
                method.getTarget().orElseThrow(),
                method.getArguments().toArray());
    }

    private static void invokeAll(Class<? extends Annotation> annotation, ExtensionContext context) {
        AnnotationSupport.findAnnotatedMethods(
                        context.getRequiredTestClass(), annotation, HierarchyTraversalMode.TOP_DOWN)
                .forEach(method -> ReflectionSupport.invokeMethod(method, context.getRequiredTestInstance()));
    }
}
