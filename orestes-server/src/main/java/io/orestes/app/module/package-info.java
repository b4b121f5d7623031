/**
 * The modules of the server, one for each subject. A module is made by a static {@code create} from
 * the modules below it, has final components only, and is where its objects are constructed. A
 * {@link io.orestes.app.module.ForwardReference} is the only means by which a module names a later
 * one.
 */
@NullMarked
@CheckReturnValue
package io.orestes.app.module;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
