/** The scope of a test run. */
@NullMarked
package io.orestes.support;

import org.jspecify.annotations.NullMarked;
