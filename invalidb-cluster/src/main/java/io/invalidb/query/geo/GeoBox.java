package io.invalidb.query.geo;

/**
 * A rectangle of finite size, borders included: on the plane, or in degrees of longitude and
 * latitude.
 */
public record GeoBox(double west, double south, double east, double north) {

    /** Relative margin; rounding errors of geometry stay far below it. */
    private static final double MARGIN = 1e-9;

    /** Creates a slightly larger box, so that rounding in an exact test stays inside of it. */
    static GeoBox withMargin(double west, double south, double east, double north) {
        double farthestX = Math.max(Math.abs(west), Math.abs(east));
        double farthestY = Math.max(Math.abs(south), Math.abs(north));
        double margin = MARGIN * (1 + Math.max(farthestX, farthestY));
        return new GeoBox(west - margin, south - margin, east + margin, north + margin);
    }

    /** Returns the box of a single position. */
    public static GeoBox at(GeoPosition place) {
        return new GeoBox(place.x(), place.y(), place.x(), place.y());
    }

    /** Returns whether the boxes have a point in common. */
    public boolean intersects(GeoBox other) {
        return west <= other.east && other.west <= east && south <= other.north && other.south <= north;
    }

    boolean isFinite() {
        return Double.isFinite(west) && Double.isFinite(south) && Double.isFinite(east) && Double.isFinite(north);
    }
}
