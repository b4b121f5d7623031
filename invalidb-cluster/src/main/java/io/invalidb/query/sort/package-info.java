/**
 * The order of results: MongoDB's comparator of documents, the sort key of each document, and the
 * horizon beyond which a query reads no further.
 */
@NullMarked
@CheckReturnValue
package io.invalidb.query.sort;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
