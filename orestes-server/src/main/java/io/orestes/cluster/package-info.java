/**
 * The part of this server in its group: what it does when other members write, change the schema or
 * depart, and what it reports about the group.
 */
@NullMarked
@CheckReturnValue
package io.orestes.cluster;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
