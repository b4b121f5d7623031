/** What a run of the tests consists of. */
@NullMarked
package io.orestes.support;

import org.jspecify.annotations.NullMarked;
