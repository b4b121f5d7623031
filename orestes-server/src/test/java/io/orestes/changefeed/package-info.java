/** Tests of the change feed's consumer and of the reconciliation of external writes. */
@NullMarked
package io.orestes.changefeed;

import org.jspecify.annotations.NullMarked;
