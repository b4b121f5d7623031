/**
 * The {@code ObjectStore} that needs nothing but a directory: BSON documents and their indexes in
 * RocksDB.
 */
@NullMarked
@CheckReturnValue
package io.orestes.store.embedded;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
