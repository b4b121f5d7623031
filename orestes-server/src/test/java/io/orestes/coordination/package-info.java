/** What every implementation of coordination must do. */
@NullMarked
package io.orestes.coordination;

import org.jspecify.annotations.NullMarked;
