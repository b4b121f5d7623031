/**
 * Probes of the MongoDB server before the store opens: replication, transactions, change streams,
 * and the capabilities that it lacks.
 */
@NullMarked
@CheckReturnValue
package io.orestes.store.mongo.probe;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
