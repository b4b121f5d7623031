/** Objects, queries, transactions, classes and indexes: each resource with its routes. */
@NullMarked
@CheckReturnValue
package io.orestes.http.data;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
