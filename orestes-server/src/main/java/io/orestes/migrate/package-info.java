/**
 * The command {@code schema}: a team's files of classes and migrations, what a server lacks of
 * them, and bringing it there.
 */
@NullMarked
@CheckReturnValue
package io.orestes.migrate;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
