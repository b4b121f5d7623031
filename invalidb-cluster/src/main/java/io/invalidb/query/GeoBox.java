package io.invalidb.query;

/**
 * A rectangle of finite size, borders included: on the plane, or in degrees of longitude and
 * latitude.
 */
public record GeoBox(double west, double south, double east, double north) {

    /** Rounding errors of geometry stay far below this share of the numbers involved. */
    private static final double MARGIN = 1e-9;

    /** Slightly larger, so that no rounding in an exact test can reach beyond it. */
    static GeoBox withMargin(double west, double south, double east, double north) {
        double margin = MARGIN
                * (1 + Math.max(Math.max(Math.abs(west), Math.abs(east)), Math.max(Math.abs(south), Math.abs(north))));
        return new GeoBox(west - margin, south - margin, east + margin, north + margin);
    }

    /** The place itself. */
    public static GeoBox at(GeoPosition place) {
        return new GeoBox(place.x(), place.y(), place.x(), place.y());
    }

    /** Whether they have a place in common. */
    public boolean intersects(GeoBox other) {
        return west <= other.east && other.west <= east && south <= other.north && other.south <= north;
    }

    boolean isFinite() {
        return Double.isFinite(west) && Double.isFinite(south) && Double.isFinite(east) && Double.isFinite(north);
    }
}
