package io.orestes.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every byte at every place of texts around the length of a word, next to bytes that could be
 * mistaken for a hit.
 */
final class JsonEscapeScannerTest {

    private static final List<Byte> NEIGHBOURS =
            List.of((byte) 'x', (byte) ' ', (byte) '!', (byte) '~', (byte) 0x80, (byte) -1);

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8, 9, 16, 21})
    void end_anyByteAnywhere_isFoundIffAJsonStringCannotHoldIt(int length) {
        for (byte neighbour : NEIGHBOURS) {
            for (int octet = 0; octet < 256; octet++) {
                for (int at = 0; at < length; at++) {
                    byte[] text = text(length, neighbour, at, octet);
                    boolean special = octet < 0x20 || octet == '"' || octet == '\\' || octet == 0x7f;

                    assertThat(JsonEscapeScanner.end(text, 0)).isEqualTo(special ? at : length);
                    assertThat(JsonEscapeScanner.end(text, at)).isEqualTo(special ? at : length);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 9, 16, 21})
    void isAsciiWithoutEscapes_anyByteAnywhere_isWhatItSays(int length) {
        assertThat(JsonEscapeScanner.isAsciiWithoutEscapes(text(length, (byte) 'x', -1, 0)))
                .isTrue();
        for (int octet = 0; octet < 256; octet++) {
            for (int at = 0; at < length; at++) {
                boolean plain = octet > 0 && octet < 0x80 && octet != '\\';

                assertThat(JsonEscapeScanner.isAsciiWithoutEscapes(text(length, (byte) '~', at, octet)))
                        .isEqualTo(plain);
            }
        }
    }

    private static byte[] text(int length, byte neighbour, int at, int octet) {
        byte[] text = new byte[length];
        Arrays.fill(text, neighbour);
        if (at >= 0) {
            text[at] = (byte) octet;
        }
        return text;
    }
}
