/** Contract suites that every implementation of coordination passes. */
@NullMarked
package io.orestes.coordination;

import org.jspecify.annotations.NullMarked;
