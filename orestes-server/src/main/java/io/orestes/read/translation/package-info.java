/**
 * The translation of queries, aggregates and parameters from the fields of clients to those of
 * stored documents.
 */
@NullMarked
@CheckReturnValue
package io.orestes.read.translation;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
