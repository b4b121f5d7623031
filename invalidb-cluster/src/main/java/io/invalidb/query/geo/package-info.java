/**
 * Positions, regions and geometries on the plane and on the sphere, in documents and in filters.
 */
@NullMarked
@CheckReturnValue
package io.invalidb.query.geo;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
