package io.orestes.config;

import java.time.Duration;

/** The serializer of setting values as text that the parser reads back. */
final class SettingSerializer {

    private SettingSerializer() {}

    static String of(Object value) {
        if (value instanceof Duration duration) {
            return of(duration);
        } else if (value instanceof Long bytes) {
            return ofBytes(bytes);
        } else if (value instanceof int[] grid) {
            return grid[0] + "x" + grid[1];
        }
        return value.toString();
    }

    private static String of(Duration duration) {
        long millis = duration.toMillis();
        if (millis % 1000 != 0 || millis == 0) {
            return millis + "ms";
        } else if (duration.toSeconds() % 60 != 0) {
            return duration.toSeconds() + "s";
        } else if (duration.toMinutes() % 60 != 0) {
            return duration.toMinutes() + "m";
        }
        return duration.toHours() % 24 == 0 ? duration.toDays() + "d" : duration.toHours() + "h";
    }

    private static String ofBytes(long bytes) {
        String[] units = {"", "kb", "mb", "gb"};
        int unit = 0;
        long rest = bytes;
        while (rest != 0 && rest % 1024 == 0 && unit < units.length - 1) {
            rest /= 1024;
            unit++;
        }
        return rest + units[unit];
    }
}
