package io.orestes.json;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parser and formatter of dates and times in the protocol's ISO 8601 forms (protocol §1.5). It
 * reads any form of ISO 8601 that JavaScript reads and writes the one canonical form. All times are
 * UTC; a time without zone counts as UTC. Years are 0000 to 9999. Precision is a millisecond;
 * further digits are cut off.
 */
public final class WireDates {

    private static final String TIME =
            "(\\d\\d):(\\d\\d)(?::(\\d\\d)(?:[.,](\\d{1,9}))?)?(?:([Zz])|([+-]\\d\\d):?(\\d\\d)?)?";
    private static final Pattern DATE_TIME = Pattern.compile("(\\d{4})-(\\d\\d)-(\\d\\d)(?:[Tt ]" + TIME + ")?");
    private static final Pattern TIME_ONLY = Pattern.compile("[Tt]?" + TIME);
    private static final int MILLIS_PER_DAY = 86_400_000;
    private static final long FIRST = LocalDate.of(0, 1, 1).toEpochDay() * MILLIS_PER_DAY;
    private static final long LAST = LocalDate.of(10_000, 1, 1).toEpochDay() * MILLIS_PER_DAY - 1;

    private WireDates() {}

    /** Parses a date with or without time to milliseconds since 1970; empty if the text is none. */
    public static Optional<Long> parseDateTime(String iso) {
        Matcher match = DATE_TIME.matcher(iso);
        if (iso.length() > 40 || !match.matches()) {
            return Optional.empty();
        }
        try {
            LocalDate day = LocalDate.of(number(match, 1), number(match, 2), number(match, 3));
            long instant = day.toEpochDay() * MILLIS_PER_DAY + (match.group(4) == null ? 0 : millis(match, 4));
            return Optional.of(instant).filter(value -> value >= FIRST && value <= LAST);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** Parses a time, or a date with time, to milliseconds since midnight UTC. */
    public static Optional<Integer> parseTime(String iso) {
        Matcher match = TIME_ONLY.matcher(iso);
        if (iso.length() > 40 || !match.matches()) {
            return iso.length() > 10 ? parseDateTime(iso).map(WireDates::timeOfDay) : Optional.empty();
        }
        try {
            return Optional.of(Math.floorMod(millis(match, 1), MILLIS_PER_DAY));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** Returns the time of day of an instant, in milliseconds since midnight UTC. */
    public static int timeOfDay(long epochMillis) {
        return Math.floorMod(epochMillis, MILLIS_PER_DAY);
    }

    /** Formats {@code 2021-03-04T05:06:07.08Z}: trailing zeros of the fraction trimmed. */
    public static String dateTime(long epochMillis) {
        return appendTime(appendDate(new StringBuilder(24), epochMillis).append('T'), timeOfDay(epochMillis), true)
                .toString();
    }

    /** Formats {@code 2021-03-04}. */
    public static String date(long epochMillis) {
        return appendDate(new StringBuilder(10), epochMillis).toString();
    }

    /** Formats {@code 05:06:07.08Z}: trailing zeros of the fraction trimmed. */
    public static String time(int millisOfDay) {
        return appendTime(new StringBuilder(13), millisOfDay, true).toString();
    }

    /**
     * Formats {@code 05:06:07.080Z}: always three digits of the fraction, so that the order of
     * texts is that of times.
     */
    public static String sortableTime(int millisOfDay) {
        return appendTime(new StringBuilder(13), millisOfDay, false).toString();
    }

    /**
     * Returns milliseconds since midnight UTC, possibly of a neighbouring day, of the time whose
     * hour is in that group.
     */
    private static int millis(Matcher match, int hourGroup) {
        LocalTime time =
                LocalTime.of(number(match, hourGroup), number(match, hourGroup + 1), number(match, hourGroup + 2));
        return time.toSecondOfDay() * 1000
                + fraction(match.group(hourGroup + 3))
                - offsetSeconds(match, hourGroup + 5) * 1000;
    }

    private static int offsetSeconds(Matcher match, int group) {
        if (match.group(group) == null) {
            return 0;
        }
        int hours = number(match, group);
        int minutes = number(match, group + 1);
        return ZoneOffset.ofHoursMinutes(hours, match.group(group).startsWith("-") ? -minutes : minutes)
                .getTotalSeconds();
    }

    private static int fraction(@Nullable String digits) {
        return digits == null ? 0 : Integer.parseInt((digits + "00").substring(0, 3));
    }

    private static int number(Matcher match, int group) {
        String digits = match.group(group);
        return digits == null ? 0 : Integer.parseInt(digits);
    }

    private static StringBuilder appendDate(StringBuilder target, long epochMillis) {
        LocalDate day = LocalDate.ofEpochDay(Math.floorDiv(epochMillis, MILLIS_PER_DAY));
        append(append(target, day.getYear() / 100), Math.floorMod(day.getYear(), 100))
                .append('-');
        append(target, day.getMonthValue()).append('-');
        return append(target, day.getDayOfMonth());
    }

    private static StringBuilder appendTime(StringBuilder target, int millisOfDay, boolean trim) {
        int seconds = millisOfDay / 1000;
        append(target, seconds / 3600).append(':');
        append(target, seconds / 60 % 60).append(':');
        return appendFraction(append(target, seconds % 60), millisOfDay % 1000, trim)
                .append('Z');
    }

    private static StringBuilder appendFraction(StringBuilder target, int millis, boolean trim) {
        if (trim && millis == 0) {
            return target;
        }
        append(target.append('.'), millis / 10).append((char) ('0' + millis % 10));
        while (trim && target.charAt(target.length() - 1) == '0') {
            target.setLength(target.length() - 1);
        }
        return target;
    }

    private static StringBuilder append(StringBuilder target, int twoDigits) {
        return target.append((char) ('0' + twoDigits / 10)).append((char) ('0' + twoDigits % 10));
    }
}
