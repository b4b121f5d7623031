package io.orestes.bench.harness;

import java.io.PrintStream;
import java.util.Locale;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonString;
import org.bson.json.JsonWriterSettings;

/**
 * Prints figures as rows of a table, or as one JSON object a line. Each appears as soon as it is
 * known.
 */
public sealed interface Output {

    /** Returns one line, numbers with four digits after the point. */
    static String json(BsonDocument document) {
        return document.toJson(JsonLines.PLAIN);
    }

    void begin();

    void print(Figure figure);

    record Table(PrintStream out) implements Output {

        private static final String ROW = "%-20s %12s  %-10s %-10s %-8s %s%n";

        @Override
        public void begin() {
            out.printf(Locale.ROOT, ROW, "id", "value", "unit", "target", "verdict", "against");
        }

        @Override
        public void print(Figure figure) {
            out.printf(
                    Locale.ROOT,
                    ROW,
                    figure.id(),
                    number(figure.value()),
                    figure.unit(),
                    figure.goal(),
                    figure.goal().verdict(figure.value()),
                    figure.against());
        }

        private static String number(double value) {
            return String.format(Locale.ROOT, value < 100 ? "%.2f" : "%,.0f", value);
        }
    }

    record JsonLines(PrintStream out) implements Output {

        private static final JsonWriterSettings PLAIN = JsonWriterSettings.builder()
                .doubleConverter((value, writer) -> writer.writeNumber(String.format(Locale.ROOT, "%.4f", value)))
                .build();

        @Override
        public void begin() {}

        @Override
        public void print(Figure figure) {
            out.println(json(new BsonDocument("id", new BsonString(figure.id()))
                    .append("value", new BsonDouble(figure.value()))
                    .append("unit", new BsonString(figure.unit()))
                    .append("against", new BsonString(figure.against()))));
        }
    }
}
