/**
 * Resources for operators and admins: health, settings, log, live queries and explanations of
 * permissions.
 */
@NullMarked
@CheckReturnValue
package io.orestes.http.admin;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
