/**
 * The stored form of objects: BSON documents, encoded before their commit and decoded with shared
 * permissions.
 */
@NullMarked
@CheckReturnValue
package io.orestes.store.embedded.codec;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
