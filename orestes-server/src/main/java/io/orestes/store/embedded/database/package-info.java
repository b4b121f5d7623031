/**
 * The RocksDB database below the data directory: its configuration, column families, key ranges,
 * snapshots and atomic change sets.
 */
@NullMarked
@CheckReturnValue
package io.orestes.store.embedded.database;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
