/** A genuine Varnish. */
@NullMarked
@CheckReturnValue
package io.orestes.support.varnish;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
