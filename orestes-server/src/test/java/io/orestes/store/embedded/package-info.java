/** What the embedded store promises beyond the contract. */
@NullMarked
package io.orestes.store.embedded;

import org.jspecify.annotations.NullMarked;
