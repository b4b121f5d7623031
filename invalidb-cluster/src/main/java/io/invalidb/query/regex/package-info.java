/**
 * Regular expressions with MongoDB's syntax and options, translated to RE2 and searched in linear
 * time within a budget.
 */
@NullMarked
@CheckReturnValue
package io.invalidb.query.regex;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
