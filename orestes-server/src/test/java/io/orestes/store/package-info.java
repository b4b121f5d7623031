/** Contract suites that every {@code ObjectStore} passes. */
@NullMarked
package io.orestes.store;

import org.jspecify.annotations.NullMarked;
