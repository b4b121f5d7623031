/**
 * Elements of HTTP that all routes share: targets and paths, entity tags, codings, responses,
 * errors and cross-origin headers.
 */
@NullMarked
@CheckReturnValue
package io.orestes.http.protocol;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
