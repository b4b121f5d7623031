/** The whole configuration of the server, read from its keys, and the report of it for admins. */
@NullMarked
@CheckReturnValue
package io.orestes.app.config;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
