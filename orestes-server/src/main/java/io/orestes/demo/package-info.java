/** The sample that {@code --demo} creates: a shared to-do list and a news feed. */
@NullMarked
@CheckReturnValue
package io.orestes.demo;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
