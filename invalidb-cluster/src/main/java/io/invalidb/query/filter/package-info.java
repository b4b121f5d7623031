/**
 * A MongoDB filter: parsed to conditions on paths, brought to a normal form, evaluated on
 * documents, and the necessary conditions by which indexes find it.
 */
@NullMarked
@CheckReturnValue
package io.invalidb.query.filter;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
