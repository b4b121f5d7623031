package io.invalidb.query.text;

import java.text.Normalizer;
import java.util.BitSet;

/**
 * The character properties of Unicode 8 that text search uses: delimiters, case folding and
 * diacritics. They do not depend on the Unicode version of the Java runtime. Delimiters are Dash,
 * Hyphen, Pattern_Syntax, Quotation_Mark, Terminal_Punctuation and White_Space of its PropList.
 * Case is its simple case folding.
 */
final class SearchCharacters {

    /** Byte order mark, which belongs to no word and ends none. */
    static final int BYTE_ORDER_MARK = 0xfeff;

    /** Replacement of an accent without a letter. */
    static final int NOTHING = -1;

    private static final BitSet DELIMITERS = ranges(
            """
            9-d 20-2f 3a-40 5b-5e 60 7b-7e 85 a0-a7 a9 ab-ae b0-b1 b6 bb bf d7 f7 37e 387 589-58a 5be 5c3 60c 61b
            61f 6d4 700-70a 70c 7f8-7f9 830-83e 85e 964-965 e5a-e5b f08 f0d-f12 104a-104b 1361-1368 1400 166d-166e
            1680 16eb-16ed 1735-1736 17d4-17d6 17da 1802-1806 1808-1809 1944-1945 1aa8-1aab 1b5a-1b5b 1b5d-1b5f
            1c3b-1c3f 1c7e-1c7f 2000-200a 2010-2029 202f-203e 2041-2053 2055-205f 207b 208b 2190-245f 2500-2775
            2794-2bff 2e00-2e7f 3000-3003 3008-3020 3030 30a0 30fb a4fe-a4ff a60d-a60f a6f3-a6f7 a876-a877 a8ce-a8cf
            a92f a9c7-a9c9 aa5d-aa5f aadf aaf0-aaf1 abeb fd3e-fd3f fe31-fe32 fe41-fe46 fe50-fe52 fe54-fe58 fe63
            ff01-ff02 ff07 ff0c-ff0e ff1a-ff1b ff1f ff61-ff65 1039f 103d0 10857 1091f 10a56-10a57 10af0-10af5
            10b3a-10b3f 10b99-10b9c 11047-1104d 110be-110c1 11141-11143 111c5-111c6 111cd 111de-111df 11238-1123c
            112a9 115c2-115c5 115c9-115d7 11641-11642 1173c-1173e 12470-12474 16a6e-16a6f 16af5 16b37-16b39 16b44
            1bc9f 1da87-1da8a
            """);

    private static final BitSet DIACRITICS = ranges(
            """
            5e 60 a8 af b4 b7-b8 2b0-34e 350-357 35d-362 374-375 37a 384-385 483-487 559 591-5a1 5a3-5bd 5bf 5c1-5c2 5c4
            64b-652 657-658 6df-6e0 6e5-6e6 6ea-6ec 730-74a 7a6-7b0 7eb-7f5 818-819 8e3-8fe 93c 94d 951-954 971 9bc
            9cd a3c a4d abc acd b3c b4d bcd c4d cbc ccd d4d dca e47-e4c e4e ec8-ecc f18-f19 f35 f37 f39 f3e-f3f
            f82-f84 f86-f87 fc6 1037 1039-103a 1087-108d 108f 109a-109b 17c9-17d3 17dd 1939-193b 1a75-1a7c 1a7f
            1ab0-1abd 1b34 1b44 1b6b-1b73 1baa-1bab 1c36-1c37 1c78-1c7d 1cd0-1ce8 1ced 1cf4 1cf8-1cf9 1d2c-1d6a
            1dc4-1dcf 1df5 1dfd-1dff 1fbd 1fbf-1fc1 1fcd-1fcf 1fdd-1fdf 1fed-1fef 1ffd-1ffe 2cef-2cf1 2e2f 302a-302f
            3099-309c 30fc a66f a67c-a67d a67f a69c-a69d a6f0-a6f1 a717-a721 a788 a7f8-a7f9 a8c4 a8e0-a8f1 a92b-a92e
            a953 a9b3 a9c0 a9e5 aa7b-aa7d aabf-aac2 aaf6 ab5b-ab5f abec-abed fb1e fe20-fe2f ff3e ff40 ff70 ff9e-ff9f
            ffe3 102e0 10ae5-10ae6 110b9-110ba 11133-11134 11173 111c0 111ca-111cc 11235-11236 112e9-112ea 1133c
            1134d 11366-1136c 11370-11374 114c2-114c3 115bf-115c0 1163f 116b6-116b7 1172b 16af0-16af4 16f8f-16f9f
            1d167-1d169 1d16d-1d172 1d17b-1d182 1d185-1d18b 1d1aa-1d1ad 1e8d0-1e8d6
            """);

    /**
     * Characters without case: dotted and dotless i, and letters that got another case after
     * Unicode 8.
     */
    private static final BitSet CASELESS = ranges(
            """
            130-131 1c80-1c88 1c90-1cbf 2c2f 2c5f a7ae a7b8-a7ca a7d0-a7d9 a7f5 104b0-104fb 10570-105bc 16e40-16e7f
            1e900-1e943
            """);

    private static final int CHEROKEE = 0x13a0;
    private static final int LAST_CHEROKEE = 0x13f8;
    private static final int LAST_CHEROKEE_END = 0x13fd;
    private static final int SMALL_CHEROKEE = 0xab70;
    private static final int SMALL_CHEROKEE_END = 0xabbf;

    /**
     * Cache of letters without their accents, 0 where not computed yet; threads may compute one
     * concurrently.
     */
    private static final char[] PLAIN = new char[Character.MIN_SUPPLEMENTARY_CODE_POINT];

    private SearchCharacters() {}

    private static BitSet ranges(String hexadecimal) {
        BitSet ranges = new BitSet();
        for (String range : hexadecimal.strip().split("\\s+", -1)) {
            String[] ends = range.split("-", -1);
            ranges.set(Integer.parseInt(ends[0], 16), Integer.parseInt(ends[ends.length - 1], 16) + 1);
        }
        return ranges;
    }

    static boolean isDelimiter(int character) {
        return DELIMITERS.get(character);
    }

    /**
     * Returns one character for all that differ only in case; Cherokee is folded to its capitals.
     */
    static int withoutCase(int character) {
        if (character < 0x80) {
            return character >= 'A' && character <= 'Z' ? character + 32 : character;
        }
        if (CASELESS.get(character)) {
            return character;
        }
        return isCherokee(character) ? cherokee(character) : Character.toLowerCase(Character.toUpperCase(character));
    }

    private static boolean isCherokee(int character) {
        return (character >= CHEROKEE && character <= LAST_CHEROKEE_END)
                || (character >= SMALL_CHEROKEE && character <= SMALL_CHEROKEE_END);
    }

    private static int cherokee(int character) {
        if (character < LAST_CHEROKEE) {
            return character;
        }
        return character < SMALL_CHEROKEE
                ? character - LAST_CHEROKEE + CHEROKEE + 0x50
                : character - SMALL_CHEROKEE + CHEROKEE;
    }

    /** Returns one character for all that differ only in accents, or {@link #NOTHING}. */
    static int withoutAccent(int character) {
        if (DIACRITICS.get(character)) {
            return NOTHING;
        }
        if (character < 0x80) {
            return character;
        }
        return character < PLAIN.length ? cached(character) : decomposed(character);
    }

    private static int cached(int character) {
        if (PLAIN[character] != 0) {
            return PLAIN[character];
        }
        int plain = decomposed(character);
        if (plain < PLAIN.length) {
            PLAIN[character] = (char) plain;
        }
        return plain;
    }

    private static int decomposed(int character) {
        String letter = Character.toString(character);
        String apart = Normalizer.normalize(letter, Normalizer.Form.NFD);
        if (apart.equals(letter)) {
            return character;
        }
        StringBuilder kept = new StringBuilder(apart.length());
        apart.codePoints().filter(part -> !DIACRITICS.get(part)).forEach(kept::appendCodePoint);
        return single(Normalizer.normalize(kept, Normalizer.Form.NFC), character);
    }

    private static int single(String text, int otherwise) {
        int first = text.isEmpty() ? otherwise : text.codePointAt(0);
        return text.length() == Character.charCount(first) ? first : otherwise;
    }
}
