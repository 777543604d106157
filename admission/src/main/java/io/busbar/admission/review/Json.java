package io.busbar.admission.review;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;

/** How reviews are read and written: numbers keep their digits, and no name is interned for good. */
final class Json {

    static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build();

    static final ObjectMapper TREES = JsonMapper.builder(FACTORY)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private Json() {}

    /** The value of a string that stands, quotes included, in a text that was checked. */
    static String string(byte[] text, int begin, int end) {
        try {
            return TREES.readTree(text, begin, end - begin).textValue();
        } catch (IOException e) {
            throw new MalformedReviewException("a string in the review cannot be decoded: " + e.getMessage());
        }
    }
}
