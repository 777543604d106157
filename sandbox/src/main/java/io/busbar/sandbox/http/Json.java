package io.busbar.sandbox.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializable;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.busbar.sandbox.syntax.JsonProblem;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/** JSON and YAML on the wire. Any thread. */
final class Json {

    /** How deep a document may be that comes in. */
    static final int DEEPEST = StreamReadConstraints.DEFAULT_MAX_DEPTH;

    /** Far more than that: lists and managedFields go deeper than the objects in them. */
    private static final StreamWriteConstraints WRITTEN =
            StreamWriteConstraints.builder().maxNestingDepth(4 * DEEPEST).build();

    private static final JsonMapper JSON = JsonMapper.builder(
                    JsonFactory.builder().streamWriteConstraints(WRITTEN).build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final YAMLMapper YAML = YAMLMapper.builder(
                    YAMLFactory.builder().streamWriteConstraints(WRITTEN).build())
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
            .build();
    private static final ObjectWriter PRETTY = JSON.writer(new DefaultPrettyPrinter(Separators.createDefaultInstance()
                    .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                    .withObjectEmptySeparator("")
                    .withArrayEmptySeparator(""))
            .withArrayIndenter(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE));

    private static final ObjectReader WITHOUT_DUPLICATES =
            JSON.reader().with(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY);
    private static final ObjectReader YAML_WITHOUT_DUPLICATES =
            YAML.reader().with(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY);

    /** @param duplicates what is to be said of fields that stand more than once; the last of them counts */
    record Document(JsonNode node, List<String> duplicates) {}

    private interface Reading<T> {

        T get() throws IOException;
    }

    private Json() {}

    /** @throws IOException in the words of Go's decoder */
    static Document read(Buffer bytes) throws IOException {
        byte[] json = bytes.getBytes();
        try {
            return new Document(WITHOUT_DUPLICATES.readTree(json), List.of());
        } catch (MismatchedInputException e) {
            // Rarely: a field that stands twice, or more than one document.
            return again(() -> JSON.readTree(json), () -> Duplicates.inJson(JSON.createParser(json)), bytes);
        } catch (JsonProcessingException e) {
            throw problem(bytes, e);
        }
    }

    /** What a decoder that knows the type tells of a document that can be read. */
    static List<String> problems(Buffer bytes, List<String> unknown) {
        try {
            return Duplicates.amongUnknown(JSON.createParser(bytes.getBytes()), Set.copyOf(unknown));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Document again(Reading<JsonNode> node, Reading<List<String>> duplicates, Buffer bytes)
            throws IOException {
        try {
            return new Document(node.get(), duplicates.get());
        } catch (JsonProcessingException e) {
            throw problem(bytes, e);
        }
    }

    private static IOException problem(Buffer bytes, JsonProcessingException cause) {
        String problem = JsonProblem.of(bytes.toString());
        return new IOException(problem == null ? "a value cannot be read" : problem, cause);
    }

    /** @throws IOException in the words of libyaml */
    static Document readYaml(Buffer bytes) throws IOException {
        String text = text(bytes);
        try {
            return new Document(YAML_WITHOUT_DUPLICATES.readTree(text), List.of());
        } catch (MismatchedInputException e) {
            return new Document(YAML.readTree(text), Duplicates.inYaml(YAML.createParser(text)));
        } catch (JsonProcessingException e) {
            throw new IOException(YamlProblem.of(String.valueOf(e.getOriginalMessage())), e);
        }
    }

    /** Of a byte that is no text the parser would tell by the name of an exception. */
    private static String text(Buffer bytes) throws IOException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.getBytes()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IOException("yaml: invalid leading UTF-8 octet", e);
        }
    }

    static boolean isTooDeep(JsonNode node) {
        return isDeeperThan(DEEPEST, node);
    }

    private static boolean isDeeperThan(int levels, JsonNode node) {
        if (!node.isContainerNode()) {
            return false;
        }
        if (levels == 0) {
            return true;
        }
        for (JsonNode child : node) {
            if (isDeeperThan(levels - 1, child)) {
                return true;
            }
        }
        return false;
    }

    static byte[] write(JsonSerializable body) {
        try {
            return JSON.writeValueAsBytes(body);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an answer could not be written", e);
        }
    }

    static byte[] writePretty(JsonSerializable body) {
        try {
            return PRETTY.writeValueAsBytes(body);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an answer could not be written", e);
        }
    }

    static byte[] writeYaml(JsonSerializable body) {
        try {
            return YAML.writeValueAsBytes(body);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an answer could not be written", e);
        }
    }
}
