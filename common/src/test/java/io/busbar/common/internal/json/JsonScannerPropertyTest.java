package io.busbar.common.internal.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.regex.Pattern;
import net.jqwik.api.Assume;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class JsonScannerPropertyTest {

    private static final ObjectMapper JACKSON =
            new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private static final Pattern FOREIGN_DIGIT = Pattern.compile("\\\\u[0-9a-fA-F]{0,3}[^\\x00-\\x7f]");

    private static final String DENSE = """
            {"a":[1,-0.5e+7,true,false,null,"x\\u00e9\\n\\"",{}],"grüße":{"b":[],"c":"你好"},"d":[[{"e":0}]]}""";

    private static final String LONG = "[" + (DENSE + ",").repeat(50) + DENSE + "]";

    @Property(tries = 20000)
    void takes_what_jackson_takes_and_refuses_what_it_refuses(@ForAll long seed) {
        assertAgreementOn(new JsonMutations(DENSE, new Random(seed)).next());
    }

    @Property(tries = 2000)
    void agrees_with_jackson_on_longer_texts(@ForAll long seed) {
        assertAgreementOn(new JsonMutations(LONG, new Random(seed)).next());
    }

    @Example
    void both_refuse_a_surrogate_alone_whose_name_comes_again() {
        byte[] text = "{\"a\":\"\\ud800\",\"a\":1}".getBytes(StandardCharsets.UTF_8);

        assertThat(scanned(text)).isFalse();
        assertThat(decoded(text)).isFalse();
    }

    private static void assertAgreementOn(byte[] text) {
        String characters = new String(text, StandardCharsets.UTF_8);
        // Jackson looks only at the lower byte of a digit, and so takes some characters that are none.
        Assume.that(!FOREIGN_DIGIT.matcher(characters).find());
        assertThat(scanned(text)).as("%s", characters).isEqualTo(decoded(text));
    }

    private static boolean scanned(byte[] text) {
        try {
            JsonScanner scanner = new JsonScanner(text);
            scanner.skip();
            return scanner.atEnd();
        } catch (MalformedJsonException e) {
            return false;
        }
    }

    /**
     * Jackson takes other encodings too, and surrogates alone; JSON in exchange is UTF-8, without a byte order mark.
     */
    private static boolean decoded(byte[] text) {
        try {
            String characters = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(text))
                    .toString();
            JsonNode tree = JACKSON.readTree(characters);
            return !tree.isMissingNode() && isUnicode(characters);
        } catch (CharacterCodingException | JsonProcessingException e) {
            return false;
        }
    }

    /** All of the text is looked at: a tree has only the last value of a name that comes twice. */
    private static boolean isUnicode(String json) {
        try (JsonParser parser = JACKSON.createParser(json)) {
            boolean unicode = true;
            while (unicode && parser.nextToken() != null) {
                unicode = StandardCharsets.UTF_8.newEncoder().canEncode(parser.getText());
            }
            return unicode;
        } catch (IOException readBefore) {
            throw new UncheckedIOException(readBefore);
        }
    }
}
