package io.invalidb.query.geo;

import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** The coordinate reference systems of GeoJSON that stand for degrees on a sphere. */
public final class CoordinateReferenceSystem {

    private static final Set<String> SPHERES = Set.of("urn:ogc:def:crs:OGC:1.3:CRS84", "EPSG:4326");

    private CoordinateReferenceSystem() {}

    /** Returns whether the system is the sphere or absent. */
    public static boolean isSphere(@Nullable BsonValue crs) {
        return crs == null
                || (crs instanceof BsonDocument document
                        && document.get("properties") instanceof BsonDocument properties
                        && properties.get("name") instanceof BsonString name
                        && SPHERES.contains(name.getValue()));
    }
}
