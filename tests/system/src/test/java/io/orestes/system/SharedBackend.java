package io.orestes.system;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Provides the one {@link Backend} of this JVM to test classes, and checks after every test that it
 * is unharmed.
 */
public final class SharedBackend implements ParameterResolver, AfterEachCallback {

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Backend.class;
    }

    @Override
    public Backend resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return backend(context);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        backend(context).assertUnharmed();
    }

    private static Backend backend(ExtensionContext context) {
        return context.getRoot()
                .getStore(Namespace.GLOBAL)
                .computeIfAbsent(Backend.class, key -> Backend.start(), Backend.class);
    }
}
