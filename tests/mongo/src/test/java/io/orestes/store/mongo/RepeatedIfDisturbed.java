package io.orestes.store.mongo;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Repeats a test of time-outs that failed while this process or MongoDB stood still. Then all
 * time-outs expire at once, as well as the failures that MongoDB is configured to simulate for a
 * time, and a correct store may answer otherwise. A failure without a standstill is never excused.
 *
 * <p>The test has an empty database and new stores each time. The fields of the class have to be
 * set before each test.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(DisturbedTestRepeater.class)
public @interface RepeatedIfDisturbed {}
