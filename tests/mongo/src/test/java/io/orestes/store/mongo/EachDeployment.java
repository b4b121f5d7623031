package io.orestes.store.mongo;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The tests of the class are run on every deployment: its constructor takes one. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedClass
@EnumSource(names = {"QUICK_REPLICA_SET", "STANDALONE", "REPLICA_SET_WITH_PASSWORD"})
@interface EachDeployment {}
