/**
 * Results of reads: rendered bodies, entity tags, and cache headers by the consistency that was
 * asked for.
 */
@NullMarked
@CheckReturnValue
package io.orestes.read.response;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
