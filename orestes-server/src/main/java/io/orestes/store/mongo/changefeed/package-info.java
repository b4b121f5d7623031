/** The change feed of the store, read from MongoDB's change stream by plain commands. */
@NullMarked
@CheckReturnValue
package io.orestes.store.mongo.changefeed;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
