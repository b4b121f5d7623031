/**
 * The declarations of classes, fields and their constraints, the rules for a set of them, and their
 * descriptors.
 */
@NullMarked
@CheckReturnValue
package io.orestes.schema.model;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
