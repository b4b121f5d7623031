/**
 * The schema of {@code $jsonSchema}: keywords compiled to rules for a value, and its normal form.
 */
@NullMarked
@CheckReturnValue
package io.invalidb.query.jsonschema;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
