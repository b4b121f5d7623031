/**
 * The command {@code schema}: applies a team's files of classes and migrations to a server that
 * lacks them.
 */
@NullMarked
@CheckReturnValue
package io.orestes.migrate;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
