/**
 * The codecs of objects and aggregate rows between wire form and stored form, by the types of the
 * schema, with the validation of objects.
 */
@NullMarked
@CheckReturnValue
package io.orestes.schema.codec;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
