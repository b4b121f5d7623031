/**
 * The links between the servers of a group: reliable, ordered and authenticated channels of
 * documents, whose contents they do not know, with acknowledgement and failure detection.
 */
@NullMarked
@CheckReturnValue
package io.orestes.replication.link;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
