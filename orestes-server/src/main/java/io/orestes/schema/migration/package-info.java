/**
 * The effect of a schema change on stored objects: renamed, removed and converted fields, and the
 * check whether objects fit.
 */
@NullMarked
@CheckReturnValue
package io.orestes.schema.migration;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
