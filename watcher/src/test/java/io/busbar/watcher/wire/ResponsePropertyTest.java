package io.busbar.watcher.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.internal.json.JsonMutations;
import io.busbar.common.internal.json.JsonScanner;
import io.busbar.common.internal.json.MalformedJsonException;
import io.busbar.common.watch.WatchSpec;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Broken and odd responses, cut anywhere: what is read of them is what a decoder of the whole makes of them, or
 * nothing.
 */
class ResponsePropertyTest {

    private static final ObjectMapper JACKSON = new ObjectMapper()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private static final String LIST = """
            {"kind":"PodList", "metadata" : {"resourceVersion":"9","continue":"x\\u0041\\"","remaining":[{"a":1}]},
             "items":[{"metadata":{"name":"a","labels":{"k":"wéb","l":"\\\\"}},"spec":{"list":[1,-2.5e3,{"items":[{}]}]}},
             {"metadata" : {"name":"b","managedFields":[{"f:spec":{}}],"annotations":{"object":"{\\"a\\":"}},"status":null} ] }""";

    @Property(tries = 20000)
    void lists_what_a_decoder_of_the_whole_finds(@ForAll long seed) {
        Random random = new Random(seed);
        byte[] response = new JsonMutations(LIST, random).next();
        List<Signal> signals = new ArrayList<>();
        boolean refused = !read(response, random, signals);
        boolean complete = !refused && signals.stream().anyMatch(Signal.ListEnd.class::isInstance);

        String text = new String(response, StandardCharsets.UTF_8);
        if (isBroken(response)) {
            assertThat(complete).as("%s", text).isFalse();
        } else {
            items(response).ifPresent(items -> {
                assertThat(complete).as("%s", text).isTrue();
                assertThat(listed(signals)).as("%s", text).isEqualTo(items);
            });
        }
    }

    /** In pieces of up to 40 bytes. False when it is refused. */
    private static boolean read(byte[] response, Random random, List<Signal> signals) {
        ResponseParser parser = new ResponseParser(WatchSpec.of(Pod.class), signals::add);
        try {
            for (int at = 0; at < response.length; ) {
                int length = Math.min(response.length - at, random.nextInt(40));
                parser.feed(ByteBuffer.wrap(response, at, length));
                at += length;
            }
            return true;
        } catch (UnreadableResponseException e) {
            return false;
        }
    }

    private static boolean isBroken(byte[] response) {
        try {
            new JsonScanner(response).skip();
            return false;
        } catch (MalformedJsonException e) {
            return true;
        }
    }

    /** As they are to be kept; empty where this is no list of objects with names, or none that only one reading has. */
    private static Optional<List<JsonNode>> items(byte[] response) {
        try {
            JsonNode list = JACKSON.readTree(response);
            JsonNode items = list.path("items");
            boolean named = items.isArray() && !list.path("object").isObject();
            List<JsonNode> kept = new ArrayList<>();
            for (JsonNode item : items) {
                JsonNode name = item.path("metadata").path("name");
                named &= name.isTextual() && !name.textValue().isEmpty();
                kept.add(named ? kept((ObjectNode) item) : item);
            }
            return named ? Optional.of(kept) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static JsonNode kept(ObjectNode item) {
        item.withObject("/metadata").remove("managedFields");
        return item.put("apiVersion", "v1").put("kind", "Pod");
    }

    private static List<JsonNode> listed(List<Signal> signals) {
        return signals.stream()
                .filter(Signal.Listed.class::isInstance)
                .map(signal -> tree(((Signal.Listed) signal).object().json()))
                .toList();
    }

    private static JsonNode tree(byte[] json) {
        try {
            return JACKSON.readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(new String(json, StandardCharsets.UTF_8), e);
        }
    }
}
