/** Tests of the embedded store: its contracts, and its guarantees beyond them. */
@NullMarked
package io.orestes.store.embedded;

import org.jspecify.annotations.NullMarked;
