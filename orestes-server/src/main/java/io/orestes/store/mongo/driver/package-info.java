/**
 * The connection to MongoDB: its configuration, publishers as futures, sessions, transactions and
 * errors.
 */
@NullMarked
@CheckReturnValue
package io.orestes.store.mongo.driver;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
