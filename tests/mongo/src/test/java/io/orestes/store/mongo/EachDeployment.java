package io.orestes.store.mongo;

import io.orestes.support.Scope;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * Runs the tests of the class on every deployment: its constructor takes one. A run without the
 * long part takes only the one without a password.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedClass
@ArgumentsSource(EachDeployment.Deployments.class)
@interface EachDeployment {

    /** Provides the deployments of the contract of stores. */
    final class Deployments implements ArgumentsProvider {

        @Override
        public Stream<Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
            return Scope.isShort()
                    ? Stream.of(Arguments.of(Deployment.QUICK_REPLICA_SET))
                    : Stream.of(Deployment.QUICK_REPLICA_SET, Deployment.REPLICA_SET_WITH_PASSWORD)
                            .map(Arguments::of);
        }
    }
}
