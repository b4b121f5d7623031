package io.orestes.bench.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A line chart as SVG, in the colours of light and dark pages. The horizontal axis has the points
 * of the lines at equal distances, the vertical one begins at 0.
 */
public final class Plot {

    private static final int WIDTH = 640;
    private static final int HEIGHT = 360;
    private static final int LEFT = 70;
    private static final int TOP = 50;
    private static final int BOTTOM = 60;
    private static final int RIGHT = 20;
    private static final int GRID = 4;
    private static final List<String> COLOURS = List.of("#2563eb", "#d97706", "#059669");

    private final String title;
    private final String across;
    private final String up;
    private final List<String> ticks;
    private final List<Line> lines = new ArrayList<>();

    private record Line(String name, List<Double> values) {}

    /**
     * Creates an empty chart.
     *
     * @param across meaning of the horizontal axis
     * @param up meaning of the vertical axis
     * @param ticks names of the points
     */
    public Plot(String title, String across, String up, List<String> ticks) {
        this.title = title;
        this.across = across;
        this.up = up;
        this.ticks = ticks;
    }

    /** Adds a line with a value for each point. */
    public void line(String name, List<Double> values) {
        lines.add(new Line(name, List.copyOf(values)));
    }

    public void write(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, svg());
    }

    private String svg() {
        StringBuilder svg = new StringBuilder();
        svg.append(format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
                        + " font-size=\"13\""
                        + " fill=\"#64748b\" role=\"img\" aria-label=\"%s\">%n",
                WIDTH, HEIGHT, title));
        svg.append(text(LEFT, 20, "start", title, " font-size=\"15\" font-weight=\"bold\""));
        svg.append(text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 12, "middle", across, ""));
        svg.append(text(
                18,
                (TOP + HEIGHT - BOTTOM) / 2.0,
                "middle",
                up,
                format(" transform=\"rotate(-90 18 %d)\"", (TOP + HEIGHT - BOTTOM) / 2)));
        grid(svg);
        for (int i = 0; i < ticks.size(); i++) {
            svg.append(text(x(i), HEIGHT - BOTTOM + 20, "middle", ticks.get(i), ""));
        }
        for (int i = 0; i < lines.size(); i++) {
            draw(svg, lines.get(i), COLOURS.get(i % COLOURS.size()), i);
        }
        return svg.append("</svg>\n").toString();
    }

    private void grid(StringBuilder svg) {
        for (int i = 0; i <= GRID; i++) {
            double value = top() * i / GRID;
            svg.append(format(
                    "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#64748b\" stroke-opacity=\"0.3\"/>%n",
                    LEFT, WIDTH - RIGHT, y(value), y(value)));
            svg.append(text(LEFT - 8, y(value) + 4, "end", format("%.3g", value), ""));
        }
    }

    private void draw(StringBuilder svg, Line line, String colour, int index) {
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < line.values.size(); i++) {
            points.append(format("%.1f,%.1f ", x(i), y(line.values.get(i))));
            svg.append(format(
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"/>%n", x(i), y(line.values.get(i)), colour));
        }
        svg.append(format(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>%n",
                points.toString().strip(), colour));
        svg.append(text(LEFT + 10, TOP + 16.0 * index, "start", line.name, format(" fill=\"%s\"", colour)));
    }

    private static String text(double x, double y, String anchor, String text, String more) {
        return format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>%s</text>%n", x, y, anchor, more, text);
    }

    private double top() {
        double most = lines.stream()
                .flatMap(line -> line.values.stream())
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(1);
        double unit = Math.pow(10, Math.floor(Math.log10(Math.max(most, 1e-9))));
        return unit * Math.ceil(most / unit);
    }

    private double x(int point) {
        return LEFT + (WIDTH - LEFT - RIGHT) * (point + 0.5) / ticks.size();
    }

    private double y(double value) {
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / top();
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
