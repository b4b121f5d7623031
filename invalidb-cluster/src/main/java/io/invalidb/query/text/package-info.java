/**
 * The search of {@code $text}: words and phrases of a search and of a document, by language, case
 * and accents.
 */
@NullMarked
@CheckReturnValue
package io.invalidb.query.text;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
