/**
 * The stored form of objects: collections, ids, metadata, completion records and tombstones, and
 * the normalisation of documents from other programs.
 */
@NullMarked
@CheckReturnValue
package io.orestes.store.mongo.document;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
