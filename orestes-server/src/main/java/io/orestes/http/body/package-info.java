/** Request bodies: received in memory or in a file within budgets, and parsed. */
@NullMarked
@CheckReturnValue
package io.orestes.http.body;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
