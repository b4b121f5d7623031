/** What is known of writes, and what becomes of those that are not. */
@NullMarked
package io.orestes.changefeed;

import org.jspecify.annotations.NullMarked;
